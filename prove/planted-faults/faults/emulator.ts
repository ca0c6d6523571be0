import type { Module } from '../fault.js';

/** Faults in the emulated board. */
export const emulator: Module = {
  name: 'emulator',
  guards: 'docs/APDU.md#platform-rules',
  guardsBy: {
    'device/exchange.ts': 'docs/APDU.md#exports',
    'server/apdu-server.ts': 'docs/APDU.md#tcp',
    'review/review-pages.ts': 'docs/SPECIFICATION.md#decision-pages',
  },
  directory: 'emulator/src',
  tests: ['emulator/harness/emulator'],
  testsBy: {
    'device/device.ts': ['emulator/device/crash'],
  },
  faults: {
    'device/device.ts': {
      'keeps the memory of a firmware that trapped':
        'if (this.#app) new Uint8Array(this.#app.memory.buffer).fill(0);',
      'accepts a reply that is longer than allowed': ['(length < 2 || length > MAX_APDU)', '(length < 2)'],
    },
    'device/exchange.ts': {
      'does not notify the firmware of a lost host': '      this.device.cancel();\n',
      'leaves the exchange before a crash unanswered': [
        'if (!reply || this.device.crashes.length > crashes) this.settle(statusReply(INTERNAL));',
        '',
        'emulator/device/crash',
      ],
    },
    'device/platform.ts': {
      'keeps the seed when it is stopped': '    this.seed?.fill(0);\n',
    },
    'device/seed.ts': {
      'repeats a wrong seed in its error': ['hexadecimal digits`);', 'hexadecimal digits` + digits);'],
      'accepts a mnemonic with a wrong checksum': [
        'if (!validateMnemonic(mnemonic, wordlist)) {',
        "if (mnemonic === '') {",
      ],
    },
    'server/apdu-server.ts': {
      'reads a command that is longer than allowed from its port': ['0 || length > MAX_APDU', '0'],
      'keeps the review of a client that hung up':
        "socket.on('close', () => link.abort(new DisconnectedError()));",
    },
    'device/buttons.ts': {
      'treats two keys that were down together as the last one': "== BUTTON_BITS.both ? 'both' : chord =",
    },
    'review/review-pages.ts': {
      'treats an item that quotes the approve page as that page': ' APPROVE_TITLES.includes(title) &&',
    },
  },
};
