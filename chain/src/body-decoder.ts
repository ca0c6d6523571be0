import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import { APPROVAL_ESCROW, SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import type { ApprovalEscrowBody, TransactionBody, TransferTokenBody } from './transaction.js';
import type { WireReader } from './wire-reader.js';

const TOKEN_BODY = 16;
const TOKEN_BODY_WITH_FLAG = 17;
const ACCEPTED_LENGTHS: Readonly<Record<TransactionBody['type'], readonly number[]>> = {
  [SEND_ZBC]: [8],
  [TRANSFER_TOKEN]: [TOKEN_BODY, TOKEN_BODY_WITH_FLAG],
  [APPROVAL_ESCROW]: [36],
};

/** Fields 7 and 8; accepts only the body lengths that the signer accepts. */
export function readBody(reader: WireReader, type: TransactionBody['type']): TransactionBody {
  const start = reader.enter(7).offset;
  const length = reader.u32();
  if (!ACCEPTED_LENGTHS[type].includes(length)) reader.refuse('body-length', start);
  reader.enter(8);
  switch (type) {
    case SEND_ZBC:
      return { type, amount: reader.u64() };
    case TRANSFER_TOKEN:
      return readTransferToken(reader, length === TOKEN_BODY_WITH_FLAG);
    case APPROVAL_ESCROW:
      return readApprovalEscrow(reader);
  }
}

function readTransferToken(reader: WireReader, hasFlag: boolean): TransferTokenBody {
  const start = reader.offset;
  const tokenId = reader.i64();
  if (tokenId === 0n) reader.refuse('token-id-zero', start);
  const amountStart = reader.offset;
  const amount = reader.i64();
  if (amount < 0n) reader.refuse('token-amount-negative', amountStart);
  const body = { type: TRANSFER_TOKEN, tokenId, amount } as const;
  return hasFlag ? { ...body, feeInToken: readFlag(reader, 'fee-in-token') } : body;
}

function readApprovalEscrow(reader: WireReader): ApprovalEscrowBody {
  const start = reader.offset;
  const approval = reader.u32();
  if (approval !== 0 && approval !== 1) reader.refuse('bad-approval', start);
  return { type: APPROVAL_ESCROW, approval, escrowHash: reader.take(HASH_LENGTH) };
}

/** One byte, 0 or 1. */
export function readFlag(reader: WireReader, reason: 'fee-in-token' | 'multi-party'): boolean {
  const start = reader.offset;
  const flag = reader.u8();
  if (flag > 1) reader.refuse(reason, start);
  return flag === 1;
}
