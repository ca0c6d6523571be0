import type { ServerResponse } from 'node:http';
import type { CommandLog } from '../command-log/command-log.js';
import type { CommandEntry, EventEntry, PanelMessages, ScreenState } from '../command-log/entry.js';
import type { Screen } from '../device/platform.js';
import type { Emulator } from '../harness/emulator.js';

/** A page with more unread bytes is disconnected. It then reconnects, and gets a snapshot. */
const MAX_UNREAD_BYTES = 1024 * 1024;
const RECONNECT_MS = 1000;

/** The server-sent events of one open panel, starting with a snapshot. */
export class PanelStream {
  constructor(
    private readonly emulator: Emulator,
    private readonly log: CommandLog,
    private readonly raw: ServerResponse,
  ) {}

  start(): void {
    const { emulator, log, raw } = this;
    if (raw.destroyed) return;
    raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    raw.write(`retry: ${RECONNECT_MS}\n\n`);
    const { commands, events } = log;
    this.#send('snapshot', { screen: stateOf(emulator.screen), commands, events });
    const onScreen = (screen: Screen) => this.#send('screen', stateOf(screen));
    const onCommand = (entry: CommandEntry) => this.#send('command', entry);
    const onEvent = (entry: EventEntry) => this.#send('event', entry);
    const onStop = () => this.#send('stop', {});
    emulator.on('screen', onScreen).on('stop', onStop);
    log.on('command', onCommand).on('event', onEvent);
    raw.on('close', () => {
      emulator.off('screen', onScreen).off('stop', onStop);
      log.off('command', onCommand).off('event', onEvent);
    });
  }

  #send<Name extends keyof PanelMessages>(name: Name, message: PanelMessages[Name]): void {
    this.raw.write(`event: ${name}\ndata: ${JSON.stringify(message)}\n\n`);
    if (this.raw.writableLength > MAX_UNREAD_BYTES) this.raw.destroy();
  }
}

function stateOf({ frame, texts }: Screen): ScreenState {
  return { frame: Buffer.from(frame).toString('base64'), texts: texts.map(({ text }) => text) };
}
