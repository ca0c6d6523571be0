import type { Module } from '../fault.js';

/** Faults in the emulated board. */
export const emulator: Module = {
  name: 'emulator',
  guards: 'docs/APDU.md#platform-rules',
  guardsBy: {
    'device/exchange.ts': 'docs/APDU.md#exports',
    'harness/emulated-signer.ts': 'docs/APDU.md#links-and-channels',
    'harness/device-follower.ts': 'docs/APDU.md#links-and-channels',
    'harness/pending-calls.ts': 'docs/TESTING.md#the-harness',
    'server/apdu-server.ts': 'docs/APDU.md#tcp',
    'server/emulator-server.ts': 'docs/TESTING.md#rest-interface',
    'device/keystore/vault-model.ts': 'docs/KEYSTORE.md#with-a-vault',
    'page/hid.ts': 'docs/TESTING.md#other-runners',
    'page/cable.ts': 'docs/TESTING.md#other-runners',
    'page/page-signer.ts': 'docs/TESTING.md#other-runners',
    'running-test.ts': 'docs/TESTING.md#the-harness',
    'page/playwright.ts': 'docs/TESTING.md#other-runners',
    'review/review-pages.ts': 'docs/SPECIFICATION.md#decision-pages',
    'review/unapproved-reply.ts': 'docs/SPECIFICATION.md#decision-pages',
    'real-device/open-review.ts': 'docs/SPECIFICATION.md#decision-pages',
  },
  directory: 'emulator/src',
  tests: ['emulator/harness/emulator'],
  testsBy: {
    'device/device.ts': ['emulator/device/crash'],
    'page/hid.ts': ['emulator/page/playwright'],
    'page/playwright.ts': ['emulator/page/playwright'],
  },
  faults: {
    'page/hid.ts': {
      'offers the device to a page that the user did not let use it': ['isAllowed() && (await', '(await'],
    },
    'page/cable.ts': {
      'keeps the review of a signer whose page was left': '    signer.disconnectReports();\n',
      'stays plugged in when its page is left': "  addEventListener('pagehide', unplug, { once: true });\n",
      'waits for ever for a signer that is not there':
        '      setTimeout(() => resolve((known ??= false)), ANSWER_MS);\n',
      'hides from a page that the signer is gone': '    else if (was) hid.unplug();\n',
      'announces a device that was there before the page': ['known && was === false', 'known'],
    },
    'page/page-signer.ts': {
      'makes every seed of the same noise': [
        'crypto.getRandomValues(new Uint8Array(NOISE_LENGTH))',
        'new Uint8Array(NOISE_LENGTH).map((_, at) => (at * at) >> 3)',
      ],
      'wipes the seed of the next device': ['TEST_SEED.slice()', 'TEST_SEED'],
      'keeps no seed in the vault': '      ...keystore,\n',
    },
    'running-test.ts': {
      'adds a second error to a test that has failed': ['!String(error).startsWith(TIME_IS_OVER)', 'false'],
      'hides why the time of a test was over': ['!String(error).startsWith(TIME_IS_OVER)', 'true'],
    },
    'page/playwright.ts': {
      'offers the device of an emulator that has stopped':
        "    emulator.on('stop', () => void cable.#leave());\n",
      'delivers the reply of a device that is unplugged': ['if (this.#isPlugged) void', 'void'],
      'keeps the review of a host that was unplugged': '    this.emulator.disconnectReports();\n',
    },
    'device/device.ts': {
      'keeps the memory of a firmware that trapped':
        'if (this.#app) new Uint8Array(this.#app.memory.buffer).fill(0);',
      'accepts a reply that is longer than allowed': ['(length < 2 || length > MAX_APDU)', '(length < 2)'],
    },
    'device/keystore/vault-model.ts': {
      'replaces a record of a vault for any proof': [
        '    if (this.#contents.record !== null && !this.#proves(oldProof)) return false;\n',
        '',
        'emulator/keystore',
      ],
      'clears the count of a vault for any proof': ['this.#proves(proof) && ', '', 'emulator/keystore'],
    },
    'harness/pending-calls.ts': {
      'advises another thing than to await a call that has its review': [
        '?? waits.find(wait => wait.reviewed)',
        '',
      ],
      'does not say where a call began': [
        '      if (error instanceof EmulatorError) error.cause ??= call.origin;\n',
        '',
      ],
    },
    'device/exchange.ts': {
      'does not notify the firmware of a lost host': '    tellDevice();\n',
      'ends the review of another host when a USB host disconnects': [
        '    if (isUsb) this',
        '    this',
        'emulator/device/exchange',
      ],
      'lets no registration of a contact take over': [
        'return ins === INS_REGISTER_CONTACT && p1 === P1_REGISTER;',
        'return false;',
        'emulator/device/exchange',
      ],
      'forgets whose approval waits for REVEAL': [
        '    if (givesNoncePoint(pending.apdu, reply)) this.#owner = pending.channel;\n',
        '',
        'emulator/device/exchange',
      ],
      'lets no header with a commitment take over': [
        'P2_APPROVER_CONTACT | P2_COMMITMENT;',
        'P2_APPROVER_CONTACT;',
        'emulator/device/exchange',
      ],
      'leaves the exchange before a crash unanswered': [
        'if (hasCrashed || isReviewing) this.settle(statusReply(INTERNAL));',
        '',
        'emulator/device/crash',
      ],
    },
    'harness/emulated-signer.ts': {
      'treats two transports as one host': ['this.#transports++ % CHANNELS', '0', 'emulator/device/exchange'],
    },
    'harness/device-follower.ts': {
      'numbers a step that differs by the last press': [
        'step: step.number, expected',
        'step: undefined, expected',
        'emulator/harness/device-follower',
      ],
      'sends the command of another host as the one that uploads': [
        'this.#review || isElsewhere',
        'this.#review',
        'emulator/harness/device-follower',
      ],
    },
    'real-device/open-review.ts': {
      'reports an early signature as a wrong screen': [
        '    if (this.#early) throw fault(describeUnapproved(this.subject, this.#early), wrong);\n',
        '',
        'emulator/conformance/faults',
      ],
      'forgets that nothing was decided yet': [
        'if (!this.isDeciding)',
        'if (this.isDeciding)',
        'emulator/conformance/faults',
      ],
    },
    'review/unapproved-reply.ts': {
      'takes a signature without a review for an answer': [
        'NEEDS_APPROVAL[ins] === p1',
        'NEEDS_APPROVAL[ins] !== p1',
      ],
    },
    'device/platform.ts': {
      'keeps the seed when it is stopped': '    this.seed?.fill(0);\n',
    },
    'device/seed.ts': {
      'repeats a wrong seed in its error': ['hexadecimal digits`,', 'hexadecimal digits` + digits,'],
      'accepts a mnemonic with a wrong checksum': [
        'if (!validateMnemonic(mnemonic, wordlist)) {',
        "if (mnemonic === '') {",
      ],
    },
    'server/apdu-server.ts': {
      'reads a command that is longer than allowed from its port': ['0 || length > MAX_APDU', '0'],
      'keeps the review of a client that hung up': '      emulator.leave(link, CHANNEL);\n',
      'treats two connections as one host': ['opened++ % LINKS', '0', 'emulator/server/apdu-server'],
    },
    'server/emulator-server.ts': {
      'forgets the texts that were drawn before the first request': [
        'createApiServer(emulator, logs',
        'createApiServer(emulator, [logs[0], new EventLog(emulator)]',
        'emulator/server/routes/events',
      ],
    },
    'device/buttons.ts': {
      'treats two keys that were down together as the last one': "== BUTTON_BITS.both ? 'both' : chord =",
    },
    'review/review-pages.ts': {
      'treats an item that quotes the approve page as that page': ' APPROVE_TITLES.includes(title) &&',
    },
  },
};
