import { INS_SIGN_TX, P1_HEADER } from '../../../protocol/commands';
import { HASH, SIGN_TX_HEADER, SIGNATURE } from '../../../protocol/limits';
import { TOKEN_TAIL_UNEXPECTED } from '../../../protocol/refusal-reasons';
import { MALFORMED, OK } from '../../../protocol/status-words';
import { TRANSFER_TOKEN } from '../../../protocol/transaction-types';
import { Command } from '../apdu/command';
import { sha3Final, sha3Init, sha3Update } from '../crypto/crypto';
import { describeTransaction } from '../review/describe';
import {
  apduBuffer,
  genesisHash,
  hint,
  items,
  linked,
  ownAccount,
  session,
  transaction,
  upload,
} from '../session';
import { Cursor } from '../transaction/cursor';
import { parseLinked } from '../transaction/linked';
import { parseTransaction } from '../transaction/parse';
import { loadOwnAccount, signAs } from './key';
import { reply, replyData, replyHeaderRefusal, replyParseRefusal } from './reply';
import { openReview } from './review';
import { answerSignTxHeader, TRANSACTION_LENGTH_AT } from './sign-tx-header';
import { receiveChunk } from './upload-chunk';

/** "ZBC-TX": no terminator, no length prefix (interface.md "Transaction signatures"). */
const TAG: usize = memory.data<u8>([0x5a, 0x42, 0x43, 0x2d, 0x54, 0x58]);
const TAG_LENGTH = 6;

const digest: usize = memory.data(HASH, 8);
const cursor: Cursor = changetype<Cursor>(memory.data(offsetof<Cursor>(), 8));

/** Answers one APDU of SIGN_TX: its header, or a chunk of the transaction and what is linked to it. */
export function answerSignTx(command: Command): i32 {
  if (command.p1 === P1_HEADER) return answerSignTxHeader(command);
  const answered = receiveChunk(command, TRANSACTION_LENGTH_AT);
  return answered !== 0 ? answered : reviewTransaction();
}

function reviewTransaction(): i32 {
  const status = loadOwnAccount(session.account);
  if (status !== OK) return reply(status);
  if (hasUnexpectedTail()) return replyHeaderRefusal(MALFORMED, SIGN_TX_HEADER, TOKEN_TAIL_UNEXPECTED);
  parseUpload();
  if (cursor.status !== 0) return replyParseRefusal(cursor);
  items.clear();
  describeTransaction(items, genesisHash, transaction, linked, hint);
  return openReview(INS_SIGN_TX);
}

function parseUpload(): void {
  const length = session.transactionLength;
  cursor.open(upload.bytes, length, false);
  parseTransaction(cursor, transaction, ownAccount);
  parseLinked(cursor, transaction, upload.bytes + length, session.linkedLength, linked, ownAccount);
}

/** A token tail belongs to the header, so it is judged before the transaction, by the type alone. */
function hasUnexpectedTail(): bool {
  return session.hasTokenTail && session.transactionLength >= 4 && load<u32>(upload.bytes) !== TRANSFER_TOKEN;
}

/** Hashes and signs the very buffer that was parsed whole and shown; only from an approval. */
export function releaseTransactionSignature(): i32 {
  sha3Init();
  sha3Update(TAG, TAG_LENGTH);
  sha3Update(genesisHash, HASH);
  sha3Update(upload.bytes, session.transactionLength);
  sha3Final(digest);
  const status = signAs(session.account, apduBuffer, digest, HASH);
  if (status !== OK) return reply(status);
  sha3Init();
  sha3Update(upload.bytes, session.transactionLength);
  sha3Update(apduBuffer, SIGNATURE);
  sha3Final(apduBuffer + SIGNATURE);
  return replyData(SIGNATURE + HASH, OK);
}
