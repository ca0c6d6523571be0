import { INS_SIGN_TX, P1_HEADER, P1_REVEAL, P2_COMMITMENT, P2_NONE } from '../../../protocol/src/commands';
import { HASH_LENGTH, SIGNATURE_LENGTH } from '../../../protocol/src/limits';
import { TOKEN_TAIL_UNEXPECTED } from '../../../protocol/src/refusal-reasons';
import { MALFORMED, OK } from '../../../protocol/src/status-words';
import { TRANSFER_TOKEN } from '../../../protocol/src/transaction-types';
import { sha3Final, sha3Init, sha3Update } from '../crypto/crypto';
import { describeTransaction } from '../review/describe';
import { Details } from '../review/details';
import { sumOfItems } from '../seal';
import {
  apduBuffer,
  genesisHash,
  hint,
  items,
  linked,
  ownAccount,
  reviewedHash,
  session,
  transaction,
  upload,
} from '../session';
import { Cursor } from '../transaction/cursor';
import { parseLinked } from '../transaction/linked';
import { parseTransaction } from '../transaction/parse';
import { Command } from './command';
import { checkContacts, headerLength } from './contact';
import { checkOwnAccount, loadOwnAccount, signAs } from './key';
import { receiveChunk } from './receive';
import { reply, replyData, replyHeaderRefusal, replyParseRefusal } from './reply';
import { answerCommitted, signWith, takeReveal } from './reveal';
import { openReview, REVIEW_TRANSACTION } from './review';
import { showsDetails } from './settings';
import { answerTransactionHeader, GENESIS_AT, TRANSACTION_LENGTH_AT } from './sign-tx-header';
import { refuseUnknownChain } from './unknown-chain';

/** The tag "ZBC-TX" has no terminator and no length prefix (docs/TRANSACTION.md#signing-digest). */
const TAG_LENGTH = 6;
const tag: usize = memory.data(8);

const digest: usize = memory.data(HASH_LENGTH, 8);
const cursor: Cursor = changetype<Cursor>(memory.data(offsetof<Cursor>(), 8));
const details: Details = changetype<Details>(memory.data(offsetof<Details>(), 8));

/** Answers one APDU of SIGN_TX: the header, a chunk of the transaction and its linked bytes, or REVEAL. */
export function answerSignTransaction(command: Command): i32 {
  if (command.p1 === P1_HEADER) return answerTransactionHeader(command);
  if (command.p1 === P1_REVEAL) return answerReveal(command);
  const answered = receiveChunk(command, TRANSACTION_LENGTH_AT);
  return answered !== 0 ? answered : reviewTransaction();
}

/** Parses the complete upload and opens its review. */
function reviewTransaction(): i32 {
  const refused = refuseUnknownChain(genesisHash, GENESIS_AT);
  if (refused !== 0) return refused;
  const status = loadOwnAccount(session.account);
  if (status !== OK) return reply(status);
  if (hasUnexpectedTail()) {
    return replyHeaderRefusal(MALFORMED, headerLength(session.options), TOKEN_TAIL_UNEXPECTED);
  }
  formItems();
  if (cursor.status !== 0) return replyParseRefusal(cursor);
  hashPayload(reviewedHash);
  return openReview(REVIEW_TRANSACTION, 'Sign transaction', 'Reject transaction');
}

/**
 * Returns whether the header has a token tail although the transaction does not transfer tokens. The tail
 * belongs to the header, so it is checked before the transaction is parsed.
 */
function hasUnexpectedTail(): bool {
  return session.hasTokenTail && session.transactionLength >= 4 && load<u32>(upload.bytes) !== TRANSFER_TOKEN;
}

/** Parses the payload, checks its contacts, and forms the items unless the cursor holds a refusal. */
function formItems(): void {
  const payload = upload.bytes;
  const length = session.transactionLength;
  if (length + session.linkedLength !== upload.received) unreachable();
  cursor.open(payload, length, false);
  parseTransaction(cursor, transaction, ownAccount);
  parseLinked(cursor, transaction, payload + length, session.linkedLength, linked, ownAccount);
  if (cursor.status === 0) checkContacts(cursor, transaction, linked);
  if (cursor.status !== 0) return;
  items.clear();
  details.index = session.account;
  details.shown = showsDetails();
  describeTransaction(items, genesisHash, transaction, linked, hint, details);
}

/** Writes the signing digest to `out`. The tag is in the code, where a fault in memory cannot change it. */
function hashPayload(out: usize): void {
  store<u32>(tag, 0x2d43425a);
  store<u16>(tag, 0x5854, 4);
  sha3Init();
  sha3Update(tag, TAG_LENGTH);
  sha3Update(genesisHash, HASH_LENGTH);
  sha3Update(upload.bytes, session.transactionLength);
  sha3Final(out);
}

/** Writes the transaction hash to `out`: the hash of the transaction and the signature in the APDU buffer. */
function hashSigned(out: usize): void {
  sha3Init();
  sha3Update(upload.bytes, session.transactionLength);
  sha3Update(apduBuffer, SIGNATURE_LENGTH);
  sha3Final(out);
}

/**
 * Signs the buffer that was parsed and shown, or fixes the nonce for it if the header had a commitment. Called only
 * after an approval. The items and the digest are first formed again, and must equal those of the review.
 */
export function answerApprovedTransaction(): i32 {
  const shown = sumOfItems();
  // Under another seed, the proofs of the contacts would be wrong.
  let status = session.options !== P2_NONE ? checkOwnAccount(session.account) : OK;
  if (status !== OK) return reply(status);
  formItems();
  if (cursor.status !== 0 || sumOfItems() !== shown) unreachable();
  checkBytes();
  if ((session.options & P2_COMMITMENT) !== 0) return answerCommitted(INS_SIGN_TX, digest, HASH_LENGTH);
  status = signAs(session.account, apduBuffer, digest, HASH_LENGTH);
  return status === OK ? replySigned() : reply(status);
}

/** Answers REVEAL: signs the approved buffer, whose digest is first formed again. */
function answerReveal(command: Command): i32 {
  let refused = takeReveal(command);
  if (refused !== 0) return refused;
  checkBytes();
  refused = signWith(command, digest, HASH_LENGTH);
  return refused !== 0 ? refused : replySigned();
}

/** Forms the digest of the buffer, and traps unless it is that of the review. */
function checkBytes(): void {
  hashPayload(digest);
  if (memory.compare(digest, reviewedHash, HASH_LENGTH) !== 0) unreachable();
}

/** Replies with the signature in the APDU buffer, and with the transaction hash, which is formed twice. */
function replySigned(): i32 {
  hashSigned(digest);
  hashSigned(apduBuffer + SIGNATURE_LENGTH);
  if (memory.compare(digest, apduBuffer + SIGNATURE_LENGTH, HASH_LENGTH) !== 0) unreachable();
  return replyData(SIGNATURE_LENGTH + HASH_LENGTH, OK);
}
