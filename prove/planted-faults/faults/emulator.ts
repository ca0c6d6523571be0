import type { Room } from '../fault.js';

/** The emulated board: signer-protocol §4 and §5. */
export const emulator: Room = {
  name: 'emulator',
  folder: 'emulator/src',
  tests: ['emulator/harness'],
  faults: [
    {
      name: 'keeps the memory of a firmware that trapped',
      file: 'device.ts',
      find: 'if (this.#app) new Uint8Array(this.#app.memory.buffer).fill(0);',
      replace: '',
      tests: ['emulator/crash'],
    },
    {
      name: 'takes a reply longer than any',
      file: 'device.ts',
      find: 'if (length < 2 || length > MAX_APDU)',
      replace: 'if (length < 2)',
      tests: ['emulator/crash'],
    },
    {
      name: 'does not tell the firmware that its host went away',
      file: 'exchange.ts',
      find: '      this.device.cancel();\n',
      replace: '',
    },
    {
      name: 'leaves the exchange before a crash unanswered',
      file: 'exchange.ts',
      find: 'if (!reply || this.device.crashes.length > crashes) this.settle(statusReply(INTERNAL));',
      replace: '',
      tests: ['emulator/crash'],
    },
    {
      name: 'keeps the seed when it is stopped',
      file: 'platform.ts',
      find: '    this.seed?.fill(0);\n',
      replace: '',
      tests: ['emulator/platform'],
    },
    {
      name: 'repeats a wrong seed in its error',
      file: 'seed.ts',
      find: 'hexadecimal digits after "hex:"`);',
      replace: 'hexadecimal digits after "hex:"` + digits);',
      tests: ['emulator/seed'],
    },
    {
      name: 'takes a mnemonic with a wrong checksum',
      file: 'seed.ts',
      find: 'if (!validateMnemonic(mnemonic, wordlist)) {',
      replace: "if (mnemonic === '') {",
      tests: ['emulator/seed'],
    },
    {
      name: 'reads a command longer than any from its port',
      file: 'apdu-server.ts',
      find: 'if (length === 0 || length > MAX_APDU) socket.destroy();',
      replace: 'if (length === 0) socket.destroy();',
      tests: ['emulator/apdu-server'],
    },
    {
      name: 'keeps the review of a client that hung up',
      file: 'apdu-server.ts',
      find: "socket.on('close', () => link.abort(new DisconnectedError()));",
      replace: '',
      tests: ['emulator/apdu-server'],
    },
    {
      name: 'takes two keys that were down together for the last one',
      file: 'buttons.ts',
      find: "return chord === BUTTON_BITS.both ? 'both' : chord === BUTTON_BITS.left",
      replace: 'return chord === BUTTON_BITS.left',
      tests: ['emulator/buttons'],
    },
    {
      name: 'takes an item that quotes the approve page for it',
      file: 'review-pages.ts',
      find: "return APPROVE_TITLES.includes(title) && line === 'approve: press both' && rest.length === 0;",
      replace: "return line === 'approve: press both' && rest.length === 0;",
      tests: ['emulator/review-pages'],
    },
  ],
};
