import { ACCOUNT, HASH, MAX_APDU, MAX_TOKEN_SYMBOL, SETTINGS } from '../../protocol/limits';
import { UPLOAD_SIZE, Upload } from './apdu/upload';
import { ITEMS_SIZE, Items } from './review/items';
import { TokenHint } from './review/token-hint';
import { Position } from './screen/flow';
import { TRANSACTION_SIZE, Transaction } from './transaction/transaction';

/** What lives from one event to the next, beside the records below. */
@unmanaged
export class Session {
  /** INS of the command whose review is on the screen, 0 while there is none. */
  reviewing: i32;
  /** Account index of the command under way. */
  account: u32;
  menuPage: i32;
  /** Lengths in bytes that the SIGN_TX header declared. */
  transactionLength: i32;
  linkedLength: i32;
  /** Bytes that the header declared for the chunks, 0 when it was refused. */
  declaredLength: i32;
  /** Where they stand once all are there. */
  payload: usize;
  /** The header carried a token tail. */
  hasTokenTail: bool;
}

/** Where a command is read and its reply is written. */
export const apduBuffer: usize = memory.data(MAX_APDU + 3, 8);

export const session: Session = changetype<Session>(memory.data(offsetof<Session>(), 8));
export const upload: Upload = changetype<Upload>(memory.data(UPLOAD_SIZE, 8));
export const settings: usize = memory.data(SETTINGS, 8);

export const genesisHash: usize = memory.data(HASH, 8);
export const ownAccount: usize = memory.data(ACCOUNT, 8);
export const hint: TokenHint = changetype<TokenHint>(memory.data(offsetof<TokenHint>(), 8));
export const symbol: usize = memory.data(MAX_TOKEN_SYMBOL);
export const transaction: Transaction = changetype<Transaction>(memory.data(TRANSACTION_SIZE, 8));
export const linked: Transaction = changetype<Transaction>(memory.data(TRANSACTION_SIZE, 8));

export const items: Items = changetype<Items>(memory.data(ITEMS_SIZE, 8));
export const position: Position = changetype<Position>(memory.data(offsetof<Position>(), 8));
