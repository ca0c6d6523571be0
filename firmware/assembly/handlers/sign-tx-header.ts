import { P2_APPROVER_CONTACT, P2_RECIPIENT_CONTACT } from '../../../protocol/src/commands';
import {
  CONTACT_LENGTH,
  HASH_LENGTH,
  MAX_LINKED,
  MAX_TOKEN_DECIMALS,
  MAX_TOKEN_SYMBOL,
  MAX_TRANSACTION,
  TOKEN_DECIMALS_NOT_GIVEN,
} from '../../../protocol/src/limits';
import {
  ACCOUNT_RANGE,
  CONTACT_NAME,
  HEADER_LENGTH,
  LINKED_TOO_LARGE,
  TOKEN_DECIMALS,
  TOKEN_SYMBOL,
  TX_EMPTY,
  TX_TOO_LARGE,
} from '../../../protocol/src/refusal-reasons';
import { LOCKED, MALFORMED, TOO_LARGE } from '../../../protocol/src/status-words';
import { commitment, contacts, genesisHash, hint, session, symbol } from '../session';
import { Command } from './command';
import { commitmentLength, headerLength, nameLength } from './contact';
import { isAccountIndex, isLocked } from './key';
import { awaitChunks } from './receive';
import { reply, replyHeaderRefusal } from './reply';
import { refuseUnknownChain } from './unknown-chain';

// Offsets of the header's fields (docs/APDU.md#sign_tx).
export const GENESIS_AT = 4;
export const TRANSACTION_LENGTH_AT = 36;
const LINKED_LENGTH_AT = 40;
// Offsets of the fields of the token tail, from its beginning.
const SYMBOL_LENGTH_AT = 1;
const SYMBOL_AT = 2;

/** Answers the header of SIGN_TX. */
export function answerTransactionHeader(command: Command): i32 {
  const data = command.data;
  const tailAt = headerLength(command.p2);
  const tailLength = command.length - tailAt;
  if (tailLength !== 0 && tailLength < SYMBOL_AT) return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
  session.account = load<u32>(data);
  if (!isAccountIndex(session.account)) return replyHeaderRefusal(MALFORMED, 0, ACCOUNT_RANGE);
  memory.copy(genesisHash, data + GENESIS_AT, HASH_LENGTH);
  const length = load<u32>(data, TRANSACTION_LENGTH_AT);
  if (length === 0) return replyHeaderRefusal(MALFORMED, TRANSACTION_LENGTH_AT, TX_EMPTY);
  if (length > <u32>MAX_TRANSACTION)
    return replyHeaderRefusal(TOO_LARGE, TRANSACTION_LENGTH_AT, TX_TOO_LARGE);
  const linkedLength = load<u32>(data, LINKED_LENGTH_AT);
  if (linkedLength > <u32>MAX_LINKED)
    return replyHeaderRefusal(TOO_LARGE, LINKED_LENGTH_AT, LINKED_TOO_LARGE);
  session.transactionLength = length;
  session.linkedLength = linkedLength;
  // Returns at once, so that a fault that inverts this condition does not skip the token tail and go on.
  const bad = readOptions(data, command.p2);
  if (bad !== 0) return bad;
  const refused = readTokenTail(data, tailAt, tailLength);
  return refused !== 0 ? refused : acceptHeader(command);
}

function acceptHeader(command: Command): i32 {
  const refused = refuseUnknownChain(genesisHash, GENESIS_AT);
  if (refused !== 0) return refused;
  if (isLocked()) return reply(LOCKED);
  return awaitChunks(command, session.transactionLength + session.linkedLength);
}

/**
 * Reads the options: the contacts, which are names and proofs of the recipient and the approver, and behind them the
 * commitment. The proofs are checked with the transaction. Returns 0, or the length of the reply that refuses a name.
 */
function readOptions(data: usize, options: i32): i32 {
  session.options = options;
  let at = headerLength(0);
  for (let option = P2_RECIPIENT_CONTACT; option <= P2_APPROVER_CONTACT; option++) {
    if ((options & option) === 0) continue;
    if (nameLength(data + at) === 0) return replyHeaderRefusal(MALFORMED, at, CONTACT_NAME);
    memory.copy(contacts + (option - P2_RECIPIENT_CONTACT) * CONTACT_LENGTH, data + at, CONTACT_LENGTH);
    at += CONTACT_LENGTH;
  }
  memory.copy(commitment, data + at, commitmentLength(options));
  return 0;
}

/**
 * Reads the token tail at an offset of the header: the decimals and the symbol that the host claims for the
 * token. Returns 0, or the length of the reply that refuses the tail.
 */
function readTokenTail(data: usize, at: i32, length: i32): i32 {
  hint.clear();
  session.hasTokenTail = length !== 0;
  if (!session.hasTokenTail) return 0;
  const tail = data + at;
  const decimals: u32 = load<u8>(tail);
  if (decimals > <u32>MAX_TOKEN_DECIMALS && decimals !== TOKEN_DECIMALS_NOT_GIVEN) {
    return replyHeaderRefusal(MALFORMED, at, TOKEN_DECIMALS);
  }
  const symbolLength: i32 = load<u8>(tail, SYMBOL_LENGTH_AT);
  const symbolLengthAt = at + SYMBOL_LENGTH_AT;
  if (symbolLength > MAX_TOKEN_SYMBOL) return replyHeaderRefusal(MALFORMED, symbolLengthAt, TOKEN_SYMBOL);
  if (symbolLength !== length - SYMBOL_AT)
    return replyHeaderRefusal(MALFORMED, symbolLengthAt, HEADER_LENGTH);
  const printable = printableLength(tail + SYMBOL_AT, symbolLength);
  if (printable !== symbolLength)
    return replyHeaderRefusal(MALFORMED, at + SYMBOL_AT + printable, TOKEN_SYMBOL);
  memory.copy(symbol, tail + SYMBOL_AT, symbolLength);
  hint.decimals = decimals;
  hint.symbol = symbol;
  hint.symbolLength = symbolLength;
  return 0;
}

/** Returns the number of leading characters that are printable ASCII other than space. */
function printableLength(from: usize, length: i32): i32 {
  for (let i = 0; i < length; i++) {
    const character: u32 = load<u8>(from + i);
    if (character <= 0x20 || character > 0x7e) return i;
  }
  return length;
}
