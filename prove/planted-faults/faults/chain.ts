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
    'keys.ts': 'docs/SECURITY.md#cryptography',
    'account.ts': 'docs/TRANSACTION.md#accounts',
    'transaction-decoder.ts': 'docs/TRANSACTION.md#signer-rules',
    'types/transfer-token.ts': 'docs/TRANSACTION.md#transaction-types',
    'untrusted-text.ts': 'docs/gateway/routes.md#errors',
    'json.ts': 'docs/gateway/routes.md#chain-routes',
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
    'refusal.ts': ['host/device/status-errors'],
  },
  faults: {
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
      'derives unhardened keys': ['index + HARDENED', 'index'],
      'accepts a mnemonic with a wrong checksum': ['(!validateMnemonic(words, wordlist))', "(words === '')"],
    },
    'keys.ts': {
      'verifies signatures by the lenient rules of ZIP 215': ['{ zip215: false }', '{ zip215: true }'],
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
      'treats accounts with equal keys and different kinds as equal': ' one.kind === other.kind &&',
      'sends to the marker that stands for no account': ['=== KIND_NONE', '=== -1', 'chain/account'],
    },
    'hex.ts': {
      'accepts half a byte of hex': 'digits.length % 2 !== 0 || ',
    },
    'transaction-decoder.ts': {
      'accepts version 2': ['if (reader.u8() !== TRANSACTION_VERSION)', 'if (reader.u8() > 2)'],
      'leaves bytes after the message unread': ['if (reader.remaining > 0)', 'if (reader.remaining > 1)'],
      'accepts a transaction of 2049 bytes': ['length > MAX_TRANSACTION', 'length > MAX_TRANSACTION + 1'],
      'accepts an escrow that ends as it begins': ['timeout <= timestamp', 'timeout < timestamp'],
      'accepts a linked signature of any length': ['reader.remaining !==', 'reader.remaining <'],
      "decides on somebody else's escrow": ['isOther(approver, rules)', 'rules.own?.kind === 99'],
    },
    'types/transfer-token.ts': {
      'accepts a token body of 18 bytes': ['[LENGTH, LENGTH_WITH_FLAG],', '[LENGTH, LENGTH_WITH_FLAG, 18],'],
      'accepts a negative token amount': ['if (amount < 0n)', 'if (amount < -1n)'],
    },
    'wire-reader.ts': {
      'reads past the end': ['if (length > this.remaining)', 'if (length > this.remaining + 4)'],
    },
    'untrusted-text.ts': {
      'lets text from the network turn the reading direction': [String.raw`\p{Cf}`, ''],
      'lets text from the network control the terminal': [String.raw`[\p{Cc}`, '['],
      'prints text from the network at any length': ['length <= maxCharacters', 'length >= 0'],
    },
    'json.ts': {
      'accepts a repeated name in JSON': ['if (names.has(name))', 'if (names.size > 99)'],
      'loses the last digits of integers': ['value.slice(mark.length)', 'Number(value.slice(mark.length))'],
      'reads any number of values in JSON': ['|| values > MAX_VALUES', '|| values < 0'],
    },
    'refusal.ts': {
      'reads the offset of a refusal from the wrong end': ['view.getUint16(1, true)', 'view.getUint16(1)'],
    },
  },
};
