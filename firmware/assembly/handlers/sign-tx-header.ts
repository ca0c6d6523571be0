import {
  HASH_LENGTH,
  MAX_LINKED,
  MAX_TOKEN_DECIMALS,
  MAX_TOKEN_SYMBOL,
  MAX_TRANSACTION,
  SIGN_TX_HEADER_LENGTH,
  TOKEN_DECIMALS_NOT_GIVEN,
} from '../../../protocol/src/limits';
import {
  ACCOUNT_RANGE,
  HEADER_LENGTH,
  LINKED_TOO_LARGE,
  TOKEN_DECIMALS,
  TOKEN_SYMBOL,
  TX_EMPTY,
  TX_TOO_LARGE,
  UNKNOWN_CHAIN,
} from '../../../protocol/src/refusal-reasons';
import { LOCKED, MALFORMED, TOO_LARGE, USER_REJECTED } from '../../../protocol/src/status-words';
import { isKnownNetwork } from '../review/network';
import { genesisHash, hint, session, symbol } from '../session';
import { Command } from './command';
import { isAccountIndex, isLocked } from './key';
import { awaitChunks } from './receive';
import { reply, replyHeaderRefusal } from './reply';
import { refusesUnknownChains } from './settings';

// Offsets of the header's fields (docs/APDU.md#sign_tx).
const GENESIS_AT = 4;
export const TRANSACTION_LENGTH_AT = 36;
const LINKED_LENGTH_AT = 40;
const DECIMALS_AT = 44;
const SYMBOL_LENGTH_AT = 45;
const SYMBOL_AT = 46;

/** Answers the header of SIGN_TX. */
export function answerTransactionHeader(command: Command): i32 {
  const data = command.data;
  if (!isHeaderLength(command.length)) return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
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
  const refused = readTokenTail(data, command.length);
  return refused !== 0 ? refused : acceptHeader(command);
}

function acceptHeader(command: Command): i32 {
  const refused = refuseUnknownChain();
  if (refused !== 0) return refused;
  if (isLocked()) return reply(LOCKED);
  return awaitChunks(command, session.transactionLength + session.linkedLength);
}

/** Returns 0 if the chain of the header is allowed, otherwise the length of the reply that refuses it. */
export function refuseUnknownChain(): i32 {
  if (!refusesUnknownChains() || isKnownNetwork(genesisHash)) return 0;
  return replyHeaderRefusal(USER_REJECTED, GENESIS_AT, UNKNOWN_CHAIN);
}

function isHeaderLength(length: i32): bool {
  return length === SIGN_TX_HEADER_LENGTH || length >= SYMBOL_AT;
}

/**
 * Reads the token tail: the decimals and the symbol that the host claims for the token. Returns 0, or the
 * length of the reply that refuses the tail.
 */
function readTokenTail(data: usize, length: i32): i32 {
  hint.clear();
  session.hasTokenTail = length !== SIGN_TX_HEADER_LENGTH;
  if (!session.hasTokenTail) return 0;
  const decimals: u32 = load<u8>(data, DECIMALS_AT);
  if (decimals > <u32>MAX_TOKEN_DECIMALS && decimals !== TOKEN_DECIMALS_NOT_GIVEN) {
    return replyHeaderRefusal(MALFORMED, DECIMALS_AT, TOKEN_DECIMALS);
  }
  const symbolLength: i32 = load<u8>(data, SYMBOL_LENGTH_AT);
  if (symbolLength > MAX_TOKEN_SYMBOL) return replyHeaderRefusal(MALFORMED, SYMBOL_LENGTH_AT, TOKEN_SYMBOL);
  if (symbolLength !== length - SYMBOL_AT)
    return replyHeaderRefusal(MALFORMED, SYMBOL_LENGTH_AT, HEADER_LENGTH);
  const printable = printableLength(data + SYMBOL_AT, symbolLength);
  if (printable !== symbolLength) return replyHeaderRefusal(MALFORMED, SYMBOL_AT + printable, TOKEN_SYMBOL);
  memory.copy(symbol, data + SYMBOL_AT, symbolLength);
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
