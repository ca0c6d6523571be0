import { INS_SIGN_TX } from '../../../protocol/commands';
import { HASH, SIGN_TX_HEADER, SIGNATURE } from '../../../protocol/limits';
import { TOKEN_TAIL_UNEXPECTED } from '../../../protocol/refusal-reasons';
import { MALFORMED, OK } from '../../../protocol/status-words';
import { TRANSFER_TOKEN } from '../../../protocol/transaction-types';
import { sha3Final, sha3Init, sha3Update } from '../crypto/crypto';
import { describeTransaction } from '../review/describe';
import { apduBuffer, genesisHash, hint, items, linked, ownAccount, session, transaction } from '../session';
import { Cursor } from '../transaction/cursor';
import { parseLinked } from '../transaction/linked';
import { parseTransaction } from '../transaction/parse';
import { loadOwnAccount, signAs } from './key';
import { reply, replyData, replyHeaderRefusal, replyParseRefusal } from './reply';
import { openReview } from './review';

/** "ZBC-TX": no terminator, no length prefix (interface.md "Transaction signatures"). */
const TAG: usize = memory.data<u8>([0x5a, 0x42, 0x43, 0x2d, 0x54, 0x58]);
const TAG_LENGTH = 6;

const digest: usize = memory.data(HASH, 8);
const cursor: Cursor = changetype<Cursor>(memory.data(offsetof<Cursor>(), 8));

/** Parses the transaction at `payload` and what is linked to it, as long as their header declared, and puts it on the screen. */
export function reviewTransaction(payload: usize): i32 {
  session.payload = payload;
  const status = loadOwnAccount(session.account);
  if (status !== OK) return reply(status);
  if (hasUnexpectedTail()) return replyHeaderRefusal(MALFORMED, SIGN_TX_HEADER, TOKEN_TAIL_UNEXPECTED);
  parsePayload();
  if (cursor.status !== 0) return replyParseRefusal(cursor);
  items.clear();
  describeTransaction(items, genesisHash, transaction, linked, hint);
  return openReview(INS_SIGN_TX);
}

function parsePayload(): void {
  const length = session.transactionLength;
  cursor.open(session.payload, length, false);
  parseTransaction(cursor, transaction, ownAccount);
  parseLinked(cursor, transaction, session.payload + length, session.linkedLength, linked, ownAccount);
}

/** A token tail belongs to the header, so it is judged before the transaction, by the type alone. */
function hasUnexpectedTail(): bool {
  return (
    session.hasTokenTail && session.transactionLength >= 4 && load<u32>(session.payload) !== TRANSFER_TOKEN
  );
}

/** Hashes and signs the very buffer that was parsed whole and shown; only from an approval. */
export function releaseTransactionSignature(): i32 {
  sha3Init();
  sha3Update(TAG, TAG_LENGTH);
  sha3Update(genesisHash, HASH);
  sha3Update(session.payload, session.transactionLength);
  sha3Final(digest);
  const status = signAs(session.account, apduBuffer, digest, HASH);
  if (status !== OK) return reply(status);
  sha3Init();
  sha3Update(session.payload, session.transactionLength);
  sha3Update(apduBuffer, SIGNATURE);
  sha3Final(apduBuffer + SIGNATURE);
  return replyData(SIGNATURE + HASH, OK);
}
