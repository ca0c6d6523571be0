import type { Module } from '../fault.js';

/** The emulated board. */
export const emulator: Module = {
  name: 'emulator',
  guards: 'docs/APDU.md#platform-rules',
  guardsByFile: {
    'device/exchange.ts': 'docs/APDU.md#exports',
    'server/apdu-server.ts': 'docs/APDU.md#tcp',
    'review/review-pages.ts': 'docs/TRANSACTION.md#decision-pages',
  },
  directory: 'emulator/src',
  tests: ['emulator/harness/emulator'],
  faults: [
    {
      name: 'keeps the memory of a firmware that trapped',
      file: 'device/device.ts',
      find: 'if (this.#app) new Uint8Array(this.#app.memory.buffer).fill(0);',
      replace: '',
      tests: ['emulator/device/crash'],
    },
    {
      name: 'takes a reply longer than any',
      file: 'device/device.ts',
      find: 'if (length < 2 || length > MAX_APDU)',
      replace: 'if (length < 2)',
      tests: ['emulator/device/crash'],
    },
    {
      name: 'does not notify the firmware of a lost host',
      file: 'device/exchange.ts',
      find: '      this.device.cancel();\n',
      replace: '',
    },
    {
      name: 'leaves the exchange before a crash unanswered',
      file: 'device/exchange.ts',
      find: 'if (!reply || this.device.crashes.length > crashes) this.settle(statusReply(INTERNAL));',
      replace: '',
      tests: ['emulator/device/crash'],
    },
    {
      name: 'keeps the seed when it is stopped',
      file: 'device/platform.ts',
      find: '    this.seed?.fill(0);\n',
      replace: '',
      tests: ['emulator/device/platform'],
    },
    {
      name: 'repeats a wrong seed in its error',
      file: 'device/seed.ts',
      find: 'hexadecimal digits`);',
      replace: 'hexadecimal digits` + digits);',
      tests: ['emulator/device/seed'],
    },
    {
      name: 'takes a mnemonic with a wrong checksum',
      file: 'device/seed.ts',
      find: 'if (!validateMnemonic(mnemonic, wordlist)) {',
      replace: "if (mnemonic === '') {",
      tests: ['emulator/device/seed'],
    },
    {
      name: 'reads a command longer than any from its port',
      file: 'server/apdu-server.ts',
      find: 'if (length === 0 || length > MAX_APDU) socket.destroy();',
      replace: 'if (length === 0) socket.destroy();',
      tests: ['emulator/server/apdu-server'],
    },
    {
      name: 'keeps the review of a client that hung up',
      file: 'server/apdu-server.ts',
      find: "socket.on('close', () => link.abort(new DisconnectedError()));",
      replace: '',
      tests: ['emulator/server/apdu-server'],
    },
    {
      name: 'takes two keys that were down together for the last one',
      file: 'device/buttons.ts',
      find: "return chord === BUTTON_BITS.both ? 'both' : chord === BUTTON_BITS.left",
      replace: 'return chord === BUTTON_BITS.left',
      tests: ['emulator/device/buttons'],
    },
    {
      name: 'takes an item that quotes the approve page for it',
      file: 'review/review-pages.ts',
      find: "return APPROVE_TITLES.includes(title) && line === 'approve: press both' && rest.length === 0;",
      replace: "return line === 'approve: press both' && rest.length === 0;",
      tests: ['emulator/review/review-pages'],
    },
  ],
};
