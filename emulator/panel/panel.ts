import type { PanelMessages, ScreenState } from '../src/command-log/entry.js';
import { drawFrame } from '../src/page/screen.js';
import { listenForCommands } from './apdu-box.js';
import { listenForPresses } from './buttons.js';
import { byId, element } from './elements.js';
import { clearLists, showCommand, showEvent } from './lists.js';
import { listenForSession } from './session.js';

const canvas = byId('screen', HTMLCanvasElement);
const texts = byId('texts', HTMLElement);

let shown = '';

function showScreen(screen: ScreenState): void {
  drawFrame(
    canvas,
    Uint8Array.from(atob(screen.frame), byte => byte.charCodeAt(0)),
  );
  // Screen readers announce a live region on every write, so unchanged texts are not written again.
  const next = JSON.stringify(screen.texts);
  if (next === shown) return;
  shown = next;
  const [title = '', ...lines] = screen.texts;
  texts.replaceChildren(element('p', 'title', title), ...lines.map(line => element('p', 'value', line)));
}

/**
 * Delay before a new connection if the stream has failed permanently, for instance because another server
 * uses the port. After other failures, the browser itself reconnects.
 */
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
listenForSession();
connect();
