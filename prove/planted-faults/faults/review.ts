import type { Module } from '../fault.js';

/** Faults in the items of a transaction's review. */
export const review: Module = {
  name: 'review',
  guards: 'docs/TRANSACTION.md#review-items',
  guardsBy: {
    'shows the previous value in place of a hash': 'docs/TRANSACTION.md#details',
    'shows no hash of an unknown chain with its details': 'docs/TRANSACTION.md#details',
    'also shows the hash of a chain that it names': 'docs/TRANSACTION.md#details',
    'shows the timeout of the escrow as its timestamp': 'docs/TRANSACTION.md#details',
    'shows the commission of the escrow as its fee': 'docs/TRANSACTION.md#details',
    'draws the item after a binary form in inverse video too': 'docs/TRANSACTION.md#marks',
  },
  directory: 'firmware/assembly/review',
  tests: ['firmware/vectors'],
  testsBy: {
    'kinds.ts': ['firmware/random-transactions', 'firmware/vectors'],
    'network.ts': ['firmware/screens'],
    'details.ts': ['firmware/screens'],
    'time.ts': ['firmware/screens'],
    'items.ts': ['firmware/overflow'],
  },
  faults: {
    'format.ts': {
      'shows a truncated address': ['(items, address, ADDRESS_LENGTH);', '(items, address, 12);'],
      'wraps the total at 64 bits': ['a / unit + b / unit + c / unit + fraction', '(a + b + c)'],
      'loses a coin where only the commission carries the total': [
        'fraction / unit);',
        '((a % unit) + (b % unit)) / unit);',
        'firmware/random-transactions',
        'firmware/vectors',
      ],
      'carries no more than one coin': ['fraction / unit);', '(fraction >= unit ? 1 : 0));'],
      'drops the zeros that follow the point': ['DIGITS - decimals;', 'DIGITS - setDigits(fraction);'],
      'shows trailing zeros': 'while (load<u8>(digits + last) === 0x30) last--;',
      'gives the coin seven decimals': ['const COIN_DECIMALS = 8;', 'const COIN_DECIMALS = 7;'],
      'shows a negative token id without its sign': 'if (value < 0) items.put(0x2d);',
      "shows another chain's account without its kind": 'putText(items, kindName(account.kind));',
      'writes a wrong last digit of 2^63': [
        '    const digit = <u32>(value % 10);\n',
        '    const digit: u32 = value === <u64>1 << 63 && i === DIGITS - 1 ? 9 : <u32>(value % 10);\n',
        'firmware/reviews',
      ],
    },
    'kinds.ts': {
      'confuses two kinds of account': ["return 'Polkadot';", "return 'Solana';"],
    },
    'address.ts': {
      'leaves the prefix out of the checksum of an address': 'putName(input + PUBLIC_KEY_LENGTH);',
      'writes base32 with the digits 0 to 5': ['0x41 + 26 - 0x32', '0x41 + 26 - 0x30'],
    },
    'recipient.ts': {
      'skips the recipient': "  items.begin('Recipient');\n  putAccount(items, transaction.recipient);\n",
      'shows the sender as the recipient': ['(items, transaction.recipient)', '(items, transaction.sender)'],
      'skips the fee': "  items.begin('Fee');\n  putCoins(items, transaction.fee);\n",
      'shows the approver as the recipient where their first nine bytes agree': [
        'putAccount(items, transaction.recipient);',
        'const agree = memory.compare(transaction.recipient.payload, transaction.approver.payload, 9) === 0;\n  putAccount(items, transaction.hasEscrow && agree ? transaction.approver : transaction.recipient);',
        'firmware/reviews',
      ],
    },
    'send-zbc.ts': {
      'shows the amount as the total': [
        'putCoinSum(items, transaction.amount, transaction.fee, 0);',
        'putCoins(items, transaction.amount);',
      ],
    },
    'describe.ts': {
      'skips the message':
        "describeText(items, 'Message', 'Message hash', transaction.message, transaction.messageLength, details);",
      'skips the escrow of a transfer':
        '  if (transaction.hasEscrow) describeEscrow(items, transaction, details);\n',
      'shows the message after the escrow': [
        "  describeText(items, 'Message', 'Message hash', transaction.message, transaction.messageLength, details);\n  if (transaction.hasEscrow) describeEscrow(items, transaction, details);\n",
        "  if (transaction.hasEscrow) describeEscrow(items, transaction, details);\n  describeText(items, 'Message', 'Message hash', transaction.message, transaction.messageLength, details);\n",
      ],
      'skips the amount that an approval decides about':
        '    describeEscrowedAmount(items, linked, details);\n',
      'calls a token transfer a transfer of coins': ["return 'Send token';", "return 'Send ZBC';"],
    },
    'message.ts': {
      'shows the previous value in place of a hash': [
        'describeHash(items, hashTitle, hash);',
        'describeHash(items, hashTitle, items.at(items.count - 1).value);',
        'firmware/screens',
      ],
      'hashes no more than 512 bytes of binary data': [
        'pointer, length);\n  items.begin',
        'pointer, min(length, 512));\n  items.begin',
        'firmware/random-transactions',
        'firmware/vectors',
      ],
      'takes data for text whose first 512 bytes are text': [
        'textLength(pointer, length) === length',
        'textLength(pointer, min(length, 512)) === min(length, 512)',
        'firmware/random-transactions',
        'firmware/vectors',
      ],
      'shows the first bytes of binary data, not of its hash': ['(items, hash, 4);', '(items, pointer, 4);'],
      'signs a message for an account that it does not show':
        "  items.begin('Account');\n  putAddress(items, publicKey);\n",
    },
    'network.ts': {
      'shows no hash of an unknown chain with its details':
        "  if (withHash) describeHash(items, 'Chain hash', genesisHash);\n",
      'also shows the hash of a chain that it names': [
        'load<u8>(entry + HASH_LENGTH));\n    return;\n',
        "load<u8>(entry + HASH_LENGTH));\n    if (withHash) describeHash(items, 'Chain hash', genesisHash);\n    return;\n",
      ],
      'names a chain by the first eight bytes of its hash': ['genesisHash, HASH_LENGTH', 'genesisHash, 8'],
      'shows six digits of an unknown chain': ['genesisHash, 4', 'genesisHash, 3', 'firmware/vectors'],
    },
    'details.ts': {
      'shows the timeout of the escrow as its timestamp': ['linked.timestamp', 'linked.timeout'],
      'shows the commission of the escrow as its fee': [
        '(items, linked.fee);',
        '(items, linked.commission);',
      ],
    },
    'escrow.ts': {
      'skips the approver': "  items.begin('Escrow approver');\n  putAccount(items, transaction.approver);\n",
      'skips the commission':
        "  items.begin('Escrow commission');\n  putCoins(items, transaction.commission);\n",
      'skips the instruction': ['instruction,\n    transaction.instructionLength,', 'instruction,\n    0,'],
      'cuts the instruction of a linked transaction at 512 bytes': [
        'transaction.instructionLength,',
        'min(transaction.instructionLength, 512),',
        'firmware/random-transactions',
        'firmware/vectors',
      ],
      'never shows that an escrow is multi-party': ['if (!transaction.multiParty) return;', 'return;'],
    },
    'approval-escrow.ts': {
      'shows APPROVE for a rejection': ["approval === APPROVE ? 'APPROVE", "approval !== APPROVE ? 'APPROVE"],
      'shows the decision in small type': ['items.enlarge();', '', 'firmware/screens'],
      'shows the sender of an escrow as its recipient': ['items, linked.recipient', 'items, linked.sender'],
      'skips a linked message of more than 256 bytes': [
        "describeText(items, 'Escrow message'",
        "if (linked.messageLength <= 256)\n    describeText(items, 'Escrow message'",
        'firmware/random-transactions',
        'firmware/vectors',
      ],
      'skips the fee of an escrow approval': "  items.begin('Fee');\n  putCoins(items, transaction.fee);\n",
      'shows the fee of the linked transaction as its own': ['items, transaction.fee', 'items, linked.fee'],
    },
    'transfer-token.ts': {
      "believes the host's decimals": [
        "  items.begin('Token amount');\n  putTokenAmount(items, transaction.amount);",
        "  items.begin('Token amount');\n  putScaled(items, transaction.amount, hint.hasDecimals ? hint.decimals : 0);\n  putText(items, ' atomic units');",
      ],
      "shows the host's details without their source": ["('As reported by the app');", "('Token amount');"],
      'does not show a symbol that came without decimals': ' || hint.symbolLength !== 0',
      'shows the wrong fee payer': ["transaction.feeInToken === 1 ? '", "transaction.feeInToken === 0 ? '"],
    },
    'text.ts': {
      'shows a delete character as text': ['byte > 0x7e', 'byte > 0x7f', 'firmware/refusals'],
      'shows control characters as text': ['byte < 0x20 ||', 'byte < 0x09 ||'],
    },
    'time.ts': {
      'ignores the leap years of centuries': ' + dayOfEra / 36524',
      'begins the year in March': ['(month <= 2 ? 1 : 0)', '0', 'firmware/vectors'],
      'writes the year 10000 as a date': ['if (seconds >= YEAR_10000) {', 'if (seconds > YEAR_10000) {'],
    },
    'items.ts': {
      'shows a review whose last item does not fit': [
        '    if (this.count === MAX_ITEMS) {\n      this.overflowed = true;\n',
        '    if (this.count === MAX_ITEMS) {\n',
      ],
      'truncates a value that does not fit': [
        '    if (this.used === ARENA) {\n      this.overflowed = true;\n',
        '    if (this.used === ARENA) {\n',
      ],
      'draws the item after a binary form in inverse video too': [
        '    item.inverse = false;\n',
        '    item.inverse = this.count > 0 && this.at(this.count - 1).inverse;\n',
        'firmware/screens',
      ],
    },
  },
};
