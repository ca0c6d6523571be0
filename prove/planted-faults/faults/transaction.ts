import type { Module } from '../fault.js';

/** Faults in the firmware's parser. */
export const transaction: Module = {
  name: 'transaction',
  guards: 'docs/TRANSACTION.md#signer-rules',
  guardsBy: {
    'cursor.ts': 'docs/TRANSACTION.md#wire-format',
    'account.ts': 'docs/TRANSACTION.md#accounts',
    'escrow.ts': 'docs/TRANSACTION.md#escrow-block',
    'linked.ts': 'docs/TRANSACTION.md#linked-transaction',
    'types/transfer-token.ts': 'docs/TRANSACTION.md#transaction-types',
    'types/approval-escrow.ts': 'docs/TRANSACTION.md#transaction-types',
  },
  directory: 'firmware/assembly/transaction',
  tests: ['firmware/refusals'],
  faults: {
    'parse.ts': {
      'accepts version 2': ['if (cursor.u8() !== 1)', 'if (cursor.u8() > 2)'],
      'accepts timestamp 0': 'if (transaction.timestamp === 0) cursor.refuse(MALFORMED, TIMESTAMP_ZERO, at);',
      "accepts another account's transaction": ['(at, ownAccount, ACCOUNT_LENGTH)', '(at, ownAccount, 4)'],
      "compares the sender's key but not its kind": [
        'if (memory.compare(at, ownAccount, ACCOUNT_LENGTH) !== 0)',
        'if (memory.compare(at + 4, ownAccount + 4, ACCOUNT_LENGTH - 4) !== 0)',
      ],
      'leaves bytes after the message unread':
        'if (cursor.position !== cursor.end) cursor.refuse(MALFORMED, TRAILING_BYTES, cursor.position);',
      'accepts a transfer without a recipient': ['else if (kind === KIND_NONE)', 'else if (kind > 0xffff)'],
      'accepts a recipient of an escrow approval':
        'if (kind !== KIND_NONE) cursor.refuse(MALFORMED, RECIPIENT_UNEXPECTED, at);',
      'accepts a message of 257 bytes': ['length > <u32>MAX_MESSAGE', 'length > <u32>MAX_MESSAGE + 1'],
      'accepts an escrow approval as a linked transaction': ['(type) || type === APPROVAL_ESCROW', '(type)'],
      "accepts a linked transaction whose sender is another chain's account":
        'if (cursor.linked && sender.kind !== KIND_ZBC) cursor.refuse(MALFORMED, LINKED_SENDER_KIND, at);',
      'reads the fee from the wrong end': [
        'transaction.fee = cursor.u64();',
        'transaction.fee = bswap(cursor.u64());',
        'firmware/vectors',
      ],
    },
    'body.ts': {
      'signs types that it does not know': ['(typeAt(i) === type) return true;', '(type !== 0) return true;'],
      'ignores the tail of a long body': ['length === SEND_ZBC_BODY;', 'length >= <u32>SEND_ZBC_BODY;'],
      'accepts the older 12-byte body of an escrow approval': [
        'return length === APPROVAL_ESCROW_BODY;',
        'return length === APPROVAL_ESCROW_BODY || length === 12;',
      ],
      'accepts a token body of 18 bytes': [
        'length === TRANSFER_TOKEN_BODY || length === TRANSFER_TOKEN_BODY_WITH_FLAG',
        'length >= <u32>TRANSFER_TOKEN_BODY && length <= <u32>TRANSFER_TOKEN_BODY_WITH_FLAG + 1',
      ],
    },
    'cursor.ts': {
      'compares no length with the buffer': ['(<u32>length > <u32>(this.end - at))', '(<u32>length > 4096)'],
      'reads one byte past the end': ['<u32>(this.end - at)', '<u32>(this.end - at) + 1'],
      'treats a length above 2^31 as negative': ['<u32>length > <u32>', 'length > <i32>'],
      'reports the last fault, not the first': [
        'at: usize): void {\n    if (this.status !== 0) return;\n',
        'at: usize): void {\n',
      ],
    },
    'account.ts': {
      'counts one kind too many': ['return kind < KINDS ?', 'return kind <= KINDS ?'],
      'takes a kind by its low bits': [
        'kind < KINDS ? <i32>load<u8>(PAYLOAD_LENGTHS + kind)',
        '<u16>kind < <u16>KINDS ? <i32>load<u8>(PAYLOAD_LENGTHS + <u16>kind)',
      ],
      'accepts Cardano accounts of 20 bytes': [
        '32, 28, 20, 20, 20,',
        '32, 20, 20, 20, 20,',
        'firmware/vectors',
        'firmware/random-transactions',
      ],
    },
    'escrow.ts': {
      'accepts an escrow that ends as it begins': ['timeout <= transaction.', 'timeout < transaction.'],
      'compares timeouts as signed numbers': [
        'transaction.timeout <= transaction.timestamp',
        '<i64>transaction.timeout <= <i64>transaction.timestamp',
        'firmware/vectors',
        'firmware/refusals',
        'firmware/random-transactions',
      ],
      'refuses to decide on an escrow that has expired': ['!cursor.linked && transaction.', 'transaction.'],
      'accepts an instruction of 513 bytes': ['> <u32>MAX_INSTRUCTION', '> <u32>MAX_INSTRUCTION + 1'],
      'accepts a multi-party byte of 2': ['if (flag > 1)', 'if (flag > 2)'],
      'accepts an approver of 20 bytes':
        'if (payloadLength(kind) !== PUBLIC_KEY_LENGTH) cursor.refuse(MALFORMED, ACCOUNT_KIND, at);',
      "decides on somebody else's escrow":
        '  if (memory.compare(at, ownAccount, ACCOUNT_LENGTH) !== 0)\n    cursor.refuse(SENDER_MISMATCH, LINKED_APPROVER, at);\n',
      "compares a linked approver's key but not its kind": [
        'memory.compare(at, ownAccount, ACCOUNT_LENGTH)',
        'memory.compare(at + 4, ownAccount + 4, ACCOUNT_LENGTH - 4)',
        'firmware/vectors',
      ],
      'decides on a transaction without an escrow':
        'if (cursor.linked) cursor.refuse(MALFORMED, LINKED_WITHOUT_ESCROW, at);',
      'remembers that a previous escrow was multi-party': [
        '  transaction.multiParty = flag === 1;\n',
        '  if (flag === 1) transaction.multiParty = true;\n',
        'firmware/reviews',
      ],
    },
    'linked.ts': {
      'accepts any transaction in place of the one whose hash is approved': [
        'if (memory.compare(hash, transaction.escrowHash, HASH_LENGTH) === 0) return;',
        'if (cursor.status === 0) return;',
      ],
      'compares only eight bytes of the escrow hash': ['escrowHash, HASH_LENGTH', 'escrowHash, 8'],
      'hashes the linked transaction without its signature': [
        'sha3_256(hash, buffer, length);',
        'sha3_256(hash, buffer, length - SIGNATURE_LENGTH);',
      ],
      'ignores an unexpected linked transaction':
        'if (length !== 0) cursor.refuse(MALFORMED, LINKED_UNEXPECTED, buffer);',
      'lets bytes follow the linked signature': [
        'if (cursor.end - cursor.position !== SIGNATURE_LENGTH)',
        'if (<i32>(cursor.end - cursor.position) < SIGNATURE_LENGTH)',
      ],
    },
    'types/transfer-token.ts': {
      'sends the native coin as token 0':
        'if (transaction.tokenId === 0) cursor.refuse(MALFORMED, TOKEN_ID_ZERO, idAt);',
      'accepts a negative token amount': ['if (<i64>transaction.amount < 0)', 'if (transaction.amount < 0)'],
      'accepts a fee flag of 2': ['if (transaction.feeInToken > 1)', 'if (transaction.feeInToken > 2)'],
    },
    'types/approval-escrow.ts': {
      'takes a decision by its low bits': [
        'if (transaction.approval > REJECT)',
        'if (<u16>transaction.approval > 1)',
        'firmware/vectors',
      ],
      'signs the decision "expire"': ['if (transaction.approval > REJECT)', 'if (transaction.approval > 2)'],
    },
  },
};
