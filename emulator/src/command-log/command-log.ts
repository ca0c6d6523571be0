import { EventEmitter } from 'node:events';
import { toHex } from '@zbc-signer/chain';
import { EmulatorStoppedError } from '../errors.js';
import type { Emulator } from '../harness/emulator.js';
import { CommandDescriber } from './command-description.js';
import type { CommandEntry, EventEntry, ReplyEntry } from './entry.js';
import { describeReply } from './reply-description.js';

/** Limit of the commands, and of the events, that the log keeps. It drops the oldest. */
const MAX_ENTRIES = 200;

interface CommandLogEvents {
  /** A command arrived, or was answered. */
  command: [entry: CommandEntry];
  event: [entry: EventEntry];
}

/** A readable log of an emulator's commands, replies and screens. */
export class CommandLog extends EventEmitter<CommandLogEvents> {
  readonly commands: CommandEntry[] = [];
  readonly events: EventEntry[] = [];
  readonly #describer = new CommandDescriber();
  #lastId = 0;

  constructor(emulator: Emulator) {
    super();
    this.setMaxListeners(0);
    this.#addEvent({ atMs: Date.now(), texts: emulator.screen.texts });
    emulator.on('exchange', (apdu, reply) => this.#addCommand(apdu.slice(), untilStop(emulator, reply)));
    emulator.on('screen', ({ texts }) => this.#addEvent({ atMs: Date.now(), texts }));
    emulator.on('crash', ({ message }) => this.#addEvent({ atMs: Date.now(), texts: [], crash: message }));
  }

  #addEvent(entry: EventEntry): void {
    append(this.events, entry);
    this.emit('event', entry);
  }

  #addCommand(apdu: Uint8Array, reply: Promise<Uint8Array>): void {
    const words = this.#describer.describe(apdu);
    const entry: CommandEntry = { id: ++this.#lastId, atMs: Date.now(), words, hex: toHex(apdu) };
    append(this.commands, entry);
    this.emit('command', entry);
    reply.then(
      bytes => this.#answer(entry, describeReply(apdu, bytes)),
      error => this.#answer(entry, { outcome: 'failed', status: '', words: error.message, hex: '' }),
    );
  }

  #answer(entry: CommandEntry, reply: ReplyEntry): void {
    entry.reply = reply;
    this.emit('command', entry);
  }
}

/** Settles like `reply`. If the emulator is stopped first, rejects with EmulatorStoppedError. */
function untilStop(emulator: Emulator, reply: Promise<Uint8Array>): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const onStop = () => reject(new EmulatorStoppedError());
    emulator.once('stop', onStop);
    reply.then(resolve, reject).finally(() => emulator.off('stop', onStop));
  });
}

function append<T>(list: T[], entry: T): void {
  list.push(entry);
  if (list.length > MAX_ENTRIES) list.shift();
}
