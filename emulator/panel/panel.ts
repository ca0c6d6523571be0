import type { PanelMessages } from '../src/command-log/entry.js';
import { listenForCommands } from './apdu-box.js';
import { listenForPresses } from './buttons.js';
import { byId } from './elements.js';
import { clearLists, showCommand, showEvent } from './lists.js';
import { showScreen } from './screen.js';

/** After the stream failed for good, as with another server on the port; otherwise the browser reconnects. */
const RETRY_MS = 2000;

const connection = byId('connection', HTMLElement);

function connect(): void {
  const stream = new EventSource('/panel/stream');
  const on = <Name extends keyof PanelMessages>(name: Name, show: (message: PanelMessages[Name]) => void) =>
    stream.addEventListener(name, ({ data }) => show(JSON.parse(data)));
  on('snapshot', ({ screen, commands, events }) => {
    clearLists();
    showScreen(screen);
    commands.forEach(showCommand);
    events.forEach(showEvent);
    setConnection('live', 'Live');
  });
  on('screen', showScreen);
  on('command', showCommand);
  on('event', showEvent);
  on('stop', () => setConnection('lost', 'Stopped'));
  stream.addEventListener('error', () => {
    if (connection.dataset.state !== 'lost') setConnection('lost', 'Connection lost');
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, RETRY_MS);
  });
}

function setConnection(state: 'live' | 'lost', text: string): void {
  document.body.classList.toggle('lost', state === 'lost');
  connection.dataset.state = state;
  connection.textContent = state === 'lost' ? `${text}; reconnecting` : text;
}

listenForPresses();
listenForCommands();
connect();
