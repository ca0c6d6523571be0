import type { Module } from '../fault.js';

/** Faults in the command line: its options, which say who pays what, its files, and its bridge. */
export const cli: Module = {
  name: 'cli',
  guards: 'docs/CLI.md#configuration',
  guardsBy: {
    'errors/hints.ts': 'docs/CLI.md#a-first-payment',
    'commands/chain.ts': 'docs/CLI.md#output',
    'output/json.ts': 'docs/CLI.md#output',
    'commands/firmware.ts': 'docs/CLI.md#firmware-verify',
    'commands/image.ts': 'docs/CLI.md#image-verify',
    'commands/account.ts': 'docs/WALLET.md#sign-a-message',
    'commands/payments.ts': 'docs/CLI.md#unsettled-payments',
    'commands/tx.ts': 'docs/CLI.md#sign-in-steps',
    'transaction/json-input.ts': 'docs/CLI.md#output',
    'transaction/sending.ts': 'docs/WALLET.md#send',
    'transaction/contacts.ts': 'docs/CLI.md#contacts',
    'connection/evidence.ts': 'docs/WALLET.md#signatures-without-hidden-data',
    'commands/contact.ts': 'docs/CLI.md#contacts',
    'bridge/server.ts': 'docs/BRIDGE.md#access-control',
    'bridge/sessions.ts': 'docs/BRIDGE.md#requests',
    'pays one recipient twice from two directories': 'docs/WALLET.md#a-second-payment-to-the-same-recipient',
  },
  directory: 'cli/src',
  elsewhere:
    'make test-node: most commands are tested as processes, which make test does not start; .ci/run runs both.',
  tests: ['cli/commands/queries'],
  testsBy: {
    'errors/hints.ts': ['cli/errors/failure'],
    'transaction/sending.ts': ['cli/transaction/sending'],
    'transaction/contacts.ts': ['cli/transaction/sending', 'journeys/contacts'],
    'commands/contact.ts': ['journeys/contacts'],
    'input/values.ts': ['cli/input/values', 'cli/transaction/sending'],
    'input/config.ts': ['cli/input/config', 'cli/transaction/sending'],
    'transaction/search.ts': ['cli/commands/queries', 'cli/commands/history'],
    'transaction/json-input.ts': ['cli/parser/mistakes'],
    'bridge/server.ts': ['cli/commands/bridge-server'],
    'bridge/sessions.ts': ['cli/commands/bridge-server'],
    'parser/parser.ts': ['cli/parser/mistakes'],
    'commands/payments.ts': ['cli/commands/payments'],
    'commands/tx.ts': ['cli/transaction/sending', 'cli/parser/mistakes', 'journeys/offline-signing'],
    'commands/account.ts': ['cli/transaction/sending'],
  },
  faults: {
    'errors/hints.ts': {
      'does not say how to select an emulator if no device is connected': [
        ', or name an emulator in ZBC_SIGNER_DEVICE.',
        '.',
      ],
    },
    'transaction/sending.ts': {
      'takes the fee in the token for --fee-in-token no': [
        "options.feeInToken === undefined ? undefined : options.feeInToken === 'yes'",
        'options.feeInToken === undefined ? undefined : true',
      ],
      'leaves out a flag that the user set to no': [
        "options.feeInToken === undefined ? undefined : options.feeInToken === 'yes'",
        "options.feeInToken === 'yes' ? true : undefined",
      ],
      'sends a hundred times the amount if the chain changes its mind about the decimals': [
        '    decimals,\n    feeInToken',
        '    feeInToken',
      ],
      'pays a token at once that an approver should decide about': [
        '    escrow: await parseEscrow(options, findContacts),\n',
        '',
      ],
      'lets the token pay the fee although nobody allowed it': [
        'allowsFeeInToken: allowFeeInToken === true',
        'allowsFeeInToken: allowFeeInToken !== undefined',
      ],
      'pays a fee above --max-fee': [
        '    ...(setting !== undefined && { maxFee: parseCoinsOption(setting.source, setting.value) }),\n',
        '',
      ],
      'pays on another chain than --genesis names': [
        "    ...(genesis !== undefined && { expectedGenesisHash: parseHash('--genesis', genesis) }),\n",
        '',
      ],
      'pays at once what an approver should decide': [
        'if (escrowApprover === undefined && others.every(option => option === undefined)) return undefined;',
        'if (escrowApprover === undefined) return undefined;',
      ],
      'promises the approver a hundred millionth of the commission': [
        "parseCoinsOption('--escrow-commission', escrowCommission ?? '0')",
        "BigInt(escrowCommission ?? '0')",
      ],
      'asks several parties although the flag is off': [
        'multiParty: escrowMultiParty === true',
        'multiParty: escrowMultiParty !== undefined',
      ],
      'sends without the message that the user gave': [
        "    ...(message !== undefined && { message: parseText('--message', message, MAX_MESSAGE) }),\n",
        '',
      ],
      'pays the minimum fee in place of --fee': [
        "    ...(fee !== undefined && { fee: parseCoinsOption('--fee', fee) }),\n",
        '',
      ],
      'pays a recipient again without --pay-again': [
        'paysAgain: options.payAgain === true',
        'paysAgain: options.payAgain !== false',
      ],
      'pays nothing to a recipient without --allow-zero': [
        'allowsZeroAmount: options.allowZero === true',
        'allowsZeroAmount: options.allowZero !== false',
      ],
      'pays from account 0 in place of account 65536': [
        'const account = parseAccountIndex(options.account);',
        'const account = parseAccountIndex(options.account) & 0xffff;',
      ],
    },
    'connection/evidence.ts': {
      'keeps no evidence against a device that leaks the seed': [
        'await file.store(error.evidence())',
        'await Promise.resolve()',
        'cli/transaction/signing',
      ],
      'shows the evidence, which may carry the seed, in the error': [
        '`${error.message}; ${kept}`',
        '`${error.message}; nothing was sent; ${kept}${error.evidence()}`',
        'cli/transaction/signing',
      ],
    },
    'transaction/contacts.ts': {
      'pays another account than that of the name, without the name, if the file changes meanwhile': [
        'const store = { load: async () => text,',
        'const store = { load: () => openContactFile().load(),',
      ],
      'takes an account in hex for a name': [
        'if (!isContactName(text)) return',
        "if (text.startsWith('ZBC_')) return",
      ],
    },
    'commands/contact.ts': {
      'imports contacts that the device does not accept': [
        'contact => signer.checkContact(contact, { signal })',
        'async contact => contact.proof.length > 0',
      ],
      'asks the device about a name that is taken': [
        '      if (replace !== true) await book.checkNew(name, account);\n',
        '',
      ],
    },
    'transaction/search.ts': {
      'prints the symbol that a token gave itself in place of its id': [
        '${symbol} (token ',
        '${symbol} (of ',
      ],
    },
    'transaction/json-input.ts': {
      'prints a key that was pasted in place of a name': [String.raw`/^\w{1,32}$/`, String.raw`/^\w{1,64}$/`],
      'pays the minimum fee for a misspelt field': [
        'if (unknown === undefined) return fields;',
        'if (unknown === undefined || unknown.length > 0) return fields;',
      ],
      'signs with half of a key pair that does not match': [
        "publicKey !== '' && publicKey !== toHex(publicKeyOf(key))",
        "publicKey !== '' && publicKey.length !== 64",
      ],
    },
    'input/values.ts': {
      'reads a date in the time zone of the computer': ['([Zz]|[+-]', '([Zz]?|[+-]'],
      'holds an escrow for minutes in place of hours': ['h: 3600', 'h: 60'],
      'takes account 2147483648': [' || Number(text) > maximum', ''],
      'takes a genesis hash of any length': [
        'digits.length !== 2 * HASH_LENGTH',
        'digits.length > 2 * HASH_LENGTH',
      ],
      'wraps a token id': [
        'BigInt.asIntN(64, value) === value ? value',
        'value < 1n << 65n ? BigInt.asIntN(64, value)',
      ],
    },
    'input/config.ts': {
      'pays one recipient twice from two directories': [
        'join(isAbsolute(base) ? base :',
        "join(base !== '' ? base :",
        'cli/transaction/sending',
      ],
      'reads the configuration of whoever made the working directory': [
        'return isAbsolute(base) ?',
        "return base !== '' ?",
      ],
      'ignores a misspelt limit in the configuration': [
        'if (!CONFIG_KEYS.some(known => known === key)) {',
        'if (key.length > 40) {',
      ],
      'prefers the configuration to the option': [
        "return given('--max-fee', option) ?? readConfig('max_fee');",
        "return readConfig('max_fee') ?? given('--max-fee', option);",
      ],
    },
    'input/files.ts': {
      'lets other users read a secret that it writes': [
        'const OWNER_ONLY = 0o600;',
        'const OWNER_ONLY = 0o644;',
      ],
      'overwrites a file without --force': ["flag: 'wx', mode", "flag: 'w', mode"],
      'does not tell that others can read a key': ['const OTHERS = 0o077;', 'const OTHERS = 0o007;'],
    },
    'parser/parser.ts': {
      'takes one of two amounts': ['    rejectRepeated(options, command);\n', ''],
      'takes an option of the message for its own': [
        '...rest.map(word => PROTECTION + word)',
        '...rest',
        'cli/parser/mistakes',
        'cli/commands/queries',
      ],
    },
    'commands/account.ts': {
      'calls any signature valid': [
        'if (!verify(signature, message, publicKey))',
        'if (signature.length !== SIGNATURE_LENGTH)',
      ],
      'verifies a signature against the key of another kind of account': [
        'if (kind !== KIND_ZBC)',
        'if (kind < 0)',
      ],
    },
    'commands/payments.ts': {
      'reports a payment as settled that is in no block': [
        "status === 'confirmed' || status === 'expired'",
        "status !== 'unknown'",
      ],
    },
    'commands/tx.ts': {
      'ignores --fee-in-token on a payment of coins': [
        'if (options.feeInToken !== undefined)',
        'if (options.feeInToken === null)',
      ],
      'builds for an account that no signer has': ['if (kind !== KIND_ZBC)', 'if (kind < 0)'],
      'signs any fee and any chain of a document': [
        '        signer,\n        ...limits,\n',
        '        signer,\n',
      ],
      'asks the user to sign what is signed already': [
        "if ('signature' in prepared) {",
        "if ('nothing' in prepared) {",
      ],
    },
    'commands/chain.ts': {
      'sends a path that is no route to the gateway': ['[\\\\w%-]+', '[^?]+'],
      'sends a route of any prefix': ['RegExp(`^', 'RegExp(`'],
    },
    'output/json.ts': {
      'lets a text in an answer control the terminal': [
        'if (!isRecord) return formatJsonLine(value)',
        'if (!isRecord) return formatJson(value)',
      ],
      'lets a name in an answer control the terminal': ['formatJsonLine(name)', 'formatJson(name)'],
    },
    'commands/firmware.ts': {
      'accepts a file of which a known builder built another': [
        'count.differ.length > 0 || ',
        '',
        'cli/commands/firmware-verify',
      ],
      'accepts a file that no known builder built': [
        ' || count.agree.length === 0',
        '',
        'cli/commands/firmware-verify',
      ],
    },
    'commands/image.ts': {
      'verifies a UF2 file as if it were the image itself': [
        'verifySignedImage(signedImageOf(bytes), key)',
        'verifySignedImage(bytes, key)',
        'cli/commands/image-signing',
      ],
    },
    'bridge/server.ts': {
      'answers any page that the browser shows': [
        'if (!options.allowedOrigins.includes(origin)) {',
        "if (origin === '') {",
      ],
      'answers a page whose name was made to point to this machine': [
        'if (host !== ',
        'if (host === undefined && host !== ',
      ],
      'takes a form of any page for a request': [
        "request.headers['content-type'] === 'application/json'",
        "request.headers['content-type'] !== undefined",
      ],
      'gives a page a key that the user refused': [
        'if (await this.askUser(request, gone)) return;',
        'if ((await this.askUser(request, gone)) !== undefined) return;',
      ],
      'asks again and again until the user gives in': ['< REFUSED_MS) {', '< 0) {'],
      'takes an answer for the page that asked next': ['< WITHDRAWN_MS) {', '< 0) {'],
      'asks about two pages at once': ['    this.#isAsking = true;\n', ''],
      'reads a body without end': ['if (length > MAX_BODY) throw INVALID;', ''],
    },
    'bridge/sessions.ts': {
      'repeats a command that was overheard': ['if (counter <= session.counter) throw replayed();', ''],
      'opens a session twice for one nonce': ['if (pairing.nonces.has(nonce)) throw replayed();', ''],
      'lets another allowed origin use a key': [
        ' || pairing.origin !== origin) throw unknownPairing',
        ') throw unknownPairing',
      ],
      'lets another origin use a session': [' || session.pairing.origin !== origin) throw', ') throw'],
      'takes any code of the right length': [
        'one.length !== other.length || !timingSafeEqual(one, other)',
        'one.length !== other.length',
      ],
      'ends the review of one browser for another': [
        '    if (current.running !== undefined) throw busy();\n    if (current.pairing',
        '    if (current.pairing',
      ],
      'takes the device away from a browser that uses it': [
        ' && this.now() - current.lastMs < IDLE_MS) throw held',
        ' && this.now() - current.lastMs < 0) throw held',
      ],
    },
  },
};
