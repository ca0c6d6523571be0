import {
  ACCOUNT_LENGTH,
  COMMITMENT_LENGTH,
  CONTACT_LENGTH,
  HASH_LENGTH,
  MAX_APDU,
  MAX_TOKEN_SYMBOL,
  REPORT_LENGTH,
  SETTINGS_LENGTH,
} from '../../protocol/src/limits';
import { ITEMS_SIZE, Items } from './review/items';
import { TokenHint } from './review/token-hint';
import { Position } from './screen/flow';
import { TRANSACTION_SIZE, Transaction } from './transaction/transaction';
import { INCOMING_BYTES, LINK_SIZE, Link } from './transport/link';
import { UPLOAD_HEADER, UPLOAD_SIZE, Upload } from './transport/upload';

/** The state of the current command. */
@unmanaged
class Session {
  /** The subject of the review on the screen, or what follows a review: a value of handlers/review.ts. */
  reviewing: u32;
  /** Account index of the command. */
  account: u32;
  /** Titles of the last two pages of the review. */
  approve: string;
  reject: string;
  /** Lengths in bytes that the SIGN_TX header declared; the first is also that of an account to register. */
  transactionLength: i32;
  linkedLength: i32;
  /** Whether the SIGN_TX header ended with the token's decimals and symbol. */
  hasTokenTail: bool;
  /** What the header had, such as contacts: P2 of the header. */
  options: i32;
}

/** The state of the idle menu. */
@unmanaged
class Menu {
  page: i32;
  /** Whether the stored settings were invalid, so that the defaults apply. */
  settingsReset: bool;
  /** The security counter that the platform's loader checked; 0 if there is none. */
  securityCounter: u32;
  /** Whether the platform has a keystore. The menu then ends with a page that leads back to the keystore. */
  canQuit: bool;
}

// State that must survive from one event to the next lies in one block, whose checksum seal.ts verifies. All
// sizes are multiples of 8.
const GENESIS = (<i32>offsetof<Session>() + 7) & ~7;
const OWN = GENESIS + HASH_LENGTH;
const DIGEST = OWN + ((ACCOUNT_LENGTH + 7) & ~7);
const COMMITMENT = DIGEST + HASH_LENGTH;
/** Offset of what only a review needs. */
export const REVIEW_STATE = COMMITMENT + COMMITMENT_LENGTH;
const HINT = REVIEW_STATE;
const SYMBOL = HINT + ((<i32>offsetof<TokenHint>() + 7) & ~7);
const CONTACTS = SYMBOL + ((MAX_TOKEN_SYMBOL + 7) & ~7);
const POSITION = CONTACTS + 2 * CONTACT_LENGTH;
const ITEMS = POSITION + ((<i32>offsetof<Position>() + 7) & ~7);
export const ITEMS_SPACE = (ITEMS_SIZE + 7) & ~7;
/** Number of bytes at the front of the block that belong to the current command. */
export const COMMAND_STATE = ITEMS + ITEMS_SPACE;
const MENU = COMMAND_STATE;
const SETTINGS = MENU + ((<i32>offsetof<Menu>() + 7) & ~7);
const LINK = SETTINGS + SETTINGS_LENGTH;
const UPLOAD = LINK + ((LINK_SIZE + 7) & ~7);
/** Number of bytes of the block that the checksum covers: all except the uploaded bytes. */
export const STATE_SIZE = UPLOAD + UPLOAD_HEADER;

export const state: usize = memory.data(UPLOAD + UPLOAD_SIZE, 8);

/** The buffer for a command and its reply. */
export const apduBuffer: usize = memory.data(MAX_APDU + 3, 8);

/** The buffer for a report. */
export const reportBuffer: usize = memory.data(REPORT_LENGTH, 8);

/** The bytes of the two commands that arrive in reports. */
export const incomingBytes: usize = memory.data(2 * INCOMING_BYTES, 8);

export const session: Session = changetype<Session>(state);
export const hint: TokenHint = changetype<TokenHint>(state + HINT);
export const symbol: usize = state + SYMBOL;
export const genesisHash: usize = state + GENESIS;
export const ownAccount: usize = state + OWN;
/**
 * The name and the proof of the recipient's contact, then those of the approver's; or the name of the contact
 * to register, and its account.
 */
export const contacts: usize = state + CONTACTS;
/** Hash of the bytes under review. */
export const reviewedHash: usize = state + DIGEST;
/** The commitment of the header; after the approval, the nonce's point that was given for it. */
export const commitment: usize = state + COMMITMENT;
export const position: Position = changetype<Position>(state + POSITION);
export const items: Items = changetype<Items>(state + ITEMS);
export const menu: Menu = changetype<Menu>(state + MENU);
export const settings: usize = state + SETTINGS;
export const link: Link = changetype<Link>(state + LINK);
export const upload: Upload = changetype<Upload>(state + UPLOAD);

// These are not part of the block, because each event that reads them parses them again.
export const transaction: Transaction = changetype<Transaction>(memory.data(TRANSACTION_SIZE, 8));
export const linked: Transaction = changetype<Transaction>(memory.data(TRANSACTION_SIZE, 8));
