import type { Module } from '../fault.js';

/** Faults in the chain's rules in TypeScript. */
export const chain: Module = {
  name: 'chain',
  guards: 'docs/TRANSACTION.md#wire-format',
  guardsBy: {
    'types/send-zbc.ts': 'docs/TRANSACTION.md#review-items',
    'address.ts': 'docs/TRANSACTION.md#addresses',
    'amount.ts': 'docs/TRANSACTION.md#tokens-and-amounts',
    'digest.ts': 'docs/TRANSACTION.md#signing-digest',
    'derivation.ts': 'docs/TRANSACTION.md#key-derivation',
    'keys.ts': 'docs/THREATS.md#cryptography',
    'account.ts': 'docs/TRANSACTION.md#accounts',
    'transaction-decoder.ts': 'docs/TRANSACTION.md#signer-rules',
    'types/transfer-token.ts': 'docs/TRANSACTION.md#transaction-types',
    'types/approval-escrow.ts': 'docs/TRANSACTION.md#transaction-types',
    'untrusted-text.ts': 'docs/gateway/routes.md#errors',
    'json.ts': 'docs/gateway/routes.md#chain-routes',
    'web-origin.ts': 'docs/gateway/routing.md#other-origins',
    'refusal.ts': 'docs/APDU.md#refusal-details',
    'leaves the signature out of the transaction hash': 'docs/TRANSACTION.md#identifiers',
    'reads a transaction id without its sign': 'docs/TRANSACTION.md#identifiers',
  },
  directory: 'chain/src',
  tests: ['chain/transaction-decoder'],
  testsBy: {
    'types/send-zbc.ts': ['host/device/expected-review'],
    'wire-writer.ts': ['chain/transaction-encoder'],
    'account.ts': ['chain/account', 'chain/transaction-decoder'],
    'hex.ts': ['chain/account'],
    'untrusted-text.ts': ['chain/untrusted-text', 'host/flow/send'],
    'types/approval-escrow.ts': ['chain/transaction-decoder'],
    'types/transfer-token.ts': [
      'chain/transaction-decoder',
      'chain/transaction-encoder',
      'host/device/expected-review',
      'host/flow/send',
    ],
    'web-origin.ts': ['gateway/config/parse'],
    'refusal.ts': ['host/device/status-errors'],
  },
  faults: {
    'web-origin.ts': {
      'refuses an origin with a scheme of its own': '  if (OWN_SCHEME.test(text)) return true;\n',
      'accepts an origin that browsers never send': ['|file', ''],
    },
    'types/send-zbc.ts': {
      'leaves the fee out of the total that it announces': ['(amount + fee)', '(amount)'],
    },
    'address.ts': {
      'does not compare the checksum of an address': [
        'if (!checksum.every((byte, at) => byte === bytes[PUBLIC_KEY_LENGTH + at])) {',
        'if (checksum.length !== CHECKSUM) {',
      ],
      'compares only one byte of the checksum': [
        'if (!checksum.every((byte, at) => byte === bytes[PUBLIC_KEY_LENGTH + at])) {',
        'if (checksum[0] !== bytes[PUBLIC_KEY_LENGTH]) {',
      ],
      'leaves the prefix out of the checksum': ['(concatBytes(publicKey, PREFIX_BYTES))', '(publicKey)'],
      "accepts a node's address as an account's": ['(/^zbc$/i.test(found))', '(/^(zbc|znk)$/i.test(found))'],
    },
    'amount.ts': {
      'reads 1,500 as 1': [String.raw`/^(\d+)(?:\.(\d+))?$/`, String.raw`/^(\d+)(?:\.(\d+))?/`],
      'pays ten for an amount whose decimals are not known': [
        '  checkDecimals(decimals);\n  const match',
        '  const match',
      ],
      'accepts more decimals than the unit has': ['length > decimals', 'length > decimals + 1'],
      'accepts an amount of more than 64 bits': ['if (atoms > maximum) {', 'if (atoms > maximum + 1n) {'],
      'rounds an amount through a floating-point number': [
        "BigInt(whole + fraction.padEnd(decimals, '0'))",
        "BigInt(Math.round(Number(whole + fraction.padEnd(decimals, '0'))))",
      ],
      'drops zeros inside an amount': ".padStart(decimals + 1, '0')",
    },
    'digest.ts': {
      'hashes the genesis hash before the tag': ['TAG, genesisHash, unsigned', 'genesisHash, TAG, unsigned'],
      'leaves the tag out of the digest': ['(TAG, genesisHash, unsigned)', '(genesisHash, unsigned)'],
      'accepts a genesis hash of any length': "  checkLength('a genesis hash', genesisHash, HASH_LENGTH);\n",
      'leaves the signature out of the transaction hash': ['concatBytes(unsigned, signature)', 'unsigned'],
      'reads a transaction id without its sign': ['.getBigInt64(0, true)', '.getBigUint64(0, true)'],
    },
    'derivation.ts': {
      'derives account 0 for account 65536': ['index + HARDENED);', '(index & 0xffff) + HARDENED);'],
      'derives an account that no device has': [
        'index < 0 || index > MAX_ACCOUNT_INDEX',
        'index < 0',
        'chain/derivation',
      ],
      'derives unhardened keys': ['index + HARDENED', 'index'],
      'accepts a mnemonic with a wrong checksum': ['(!validateMnemonic(words, wordlist))', "(words === '')"],
    },
    'keys.ts': {
      'accepts an R with a part of small order': [
        'toHex(nonce.toBytes()) === toHex(encodedR)',
        'nonce.subtract(Point.fromBytes(encodedR)).isSmallOrder()',
      ],
      'accepts a key of small order': ['    if (key.isSmallOrder()) return false;\n', ''],
      'accepts a second encoding of a signature': [
        'const s = scalarOf(signature.subarray(SIGNATURE_LENGTH / 2));',
        'const s = scalarOf(signature.subarray(SIGNATURE_LENGTH / 2)) % GROUP_ORDER;',
      ],
      'signs a digest of any length': ['if (digest.length !== HASH_LENGTH)', 'if (digest.length === 0)'],
    },
    'wire-writer.ts': {
      'wraps a value that its field cannot hold': ['value < least || value > most)', 'value < least)'],
      'writes a negative amount as a large one': ['value < least || value > most)', 'value > most)'],
    },
    'transaction-encoder.ts': {
      'leaves the multi-party byte out': '    .u8(Number(multiParty))\n',
    },
    'account.ts': {
      'takes an account of kind 256 for one of kind 0': [
        'const known = ACCOUNT_KINDS[kind];\n  if (known',
        'const known = ACCOUNT_KINDS[kind & 0xff];\n  if (known',
        'chain/account',
      ],
      'takes a shorter account for an approver': [
        'return ACCOUNT_KINDS[kind]?.payloadLength === PUBLIC_KEY_LENGTH;',
        'return (ACCOUNT_KINDS[kind]?.payloadLength ?? 0) >= 20;',
        'firmware/refusals',
      ],
      'treats accounts with equal keys and different kinds as equal': ' one.kind === other.kind &&',
      'sends to the marker that stands for no account': ['=== KIND_NONE', '=== -1', 'chain/account'],
    },
    'hex.ts': {
      'accepts half a byte of hex': 'digits.length % 2 !== 0 || ',
    },
    'transaction-decoder.ts': {
      'takes type 257 for a transfer of coins': [
        'const format = FORMATS[reader.u32()];',
        'const format = FORMATS[reader.u32() & 0xff];',
      ],
      'takes a recipient of kind 256 for one of this chain': [
        'const known = ACCOUNT_KINDS[kind] ??',
        'const known = ACCOUNT_KINDS[kind & 0xff] ??',
      ],
      'takes the sender of another chain for the own account': [
        'if (kind !== KIND_ZBC || (!rules.linked && isOther(sender, rules)))',
        'if (!rules.linked && isOther({ ...sender, kind: KIND_ZBC }, rules))',
      ],
      'signs an instruction that no signer shows': [
        "'instruction-too-long', MAX_INSTRUCTION)",
        "'instruction-too-long', MAX_INSTRUCTION + 1)",
      ],
      'refuses the decision on an escrow with a long message': [
        'if (!rules.linked && actual > allowed)',
        'if (actual > allowed)',
      ],
      'accepts version 2': ['if (reader.u8() !== TRANSACTION_VERSION)', 'if (reader.u8() > 2)'],
      'leaves bytes after the message unread': ['if (reader.remaining > 0)', 'if (reader.remaining > 1)'],
      'accepts a transaction of 2049 bytes': ['length > MAX_TRANSACTION', 'length > MAX_TRANSACTION + 1'],
      'accepts an escrow that ends as it begins': ['timeout <= timestamp', 'timeout < timestamp'],
      'accepts a linked signature of any length': [
        'reader.remaining !==',
        'reader.remaining <',
        'firmware/refusals',
      ],
      "decides on somebody else's escrow": ['isOther(approver, rules)', 'rules.own?.kind === 99'],
    },
    'types/transfer-token.ts': {
      'sends a flag that the user set to no as no flag': [
        'if (feeInToken !== undefined) writer.u8(Number(feeInToken));',
        'if (feeInToken) writer.u8(1);',
      ],
      'says that the token pays a fee that the coins pay': [
        "feeInToken ? 'Yes' : 'No'",
        "feeInToken !== undefined ? 'Yes' : 'No'",
      ],
      'finds a balance enough that cannot pay the fee': [
        'feeInToken === true ? 0n : fee',
        'feeInToken !== undefined ? 0n : fee',
        'chain/transaction',
      ],
      'accepts a token body of 18 bytes': ['[LENGTH, LENGTH_WITH_FLAG],', '[LENGTH, LENGTH_WITH_FLAG, 18],'],
      'accepts a negative token amount': ['if (amount < 0n)', 'if (amount < -1n)'],
    },
    'wire-reader.ts': {
      'reads past the end': ['if (length > this.remaining)', 'if (length > this.remaining + 4)'],
    },
    'untrusted-text.ts': {
      'shows a symbol that no device accepts': ['{1,12}$/', '{1,13}$/'],
      'shows a symbol with letters of another script': [String.raw`[\x21-\x7e]`, String.raw`[\x21-\xff]`],
      'lets text from the network turn the reading direction': [String.raw`\p{Cf}`, ''],
      'lets text from the network control the terminal': [String.raw`[\p{Cc}`, '['],
      'prints text from the network at any length': ['length <= maxCharacters', 'length >= 0'],
    },
    'json.ts': {
      'reads JSON of any depth': ['depth > MAX_DEPTH ||', 'depth < 0 ||'],
      'reads JSON of any depth after an escaped quotation mark': [
        'else if (isString) at += Number(code === BACKSLASH);',
        'else if (isString) at += 0;',
      ],
      'accepts a repeated name in JSON': ['if (names.has(name))', 'if (names.size > 99)'],
      'loses the last digits of integers': ['value.slice(mark.length)', 'Number(value.slice(mark.length))'],
      'reads any number of values in JSON': ['|| values > MAX_VALUES', '|| values < 0'],
    },
    'refusal.ts': {
      'reads the offset of a refusal from the wrong end': ['view.getUint16(1, true)', 'view.getUint16(1)'],
    },
    'types/approval-escrow.ts': {
      'approves an escrow with the decision 256': [
        'return DECISIONS[wire];',
        'return DECISIONS[wire & 0xff];',
      ],
    },
  },
};
