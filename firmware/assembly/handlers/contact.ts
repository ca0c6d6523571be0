import { P2_APPROVER_CONTACT, P2_COMMITMENT, P2_RECIPIENT_CONTACT } from '../../../protocol/src/commands';
import {
  ACCOUNT_LENGTH,
  COMMITMENT_LENGTH,
  CONTACT_LENGTH,
  CONTACT_NAME_LENGTH,
  HASH_LENGTH,
  SIGN_TX_HEADER_LENGTH,
} from '../../../protocol/src/limits';
import { CONTACT_PROOF, CONTACT_REQUIRED, CONTACT_UNEXPECTED } from '../../../protocol/src/refusal-reasons';
import { MALFORMED, USER_REJECTED } from '../../../protocol/src/status-words';
import { APPROVAL_ESCROW } from '../../../protocol/src/transaction-types';
import { apduBuffer, contacts, genesisHash, ownAccount, session, upload } from '../session';
import { Account } from '../transaction/account';
import { APPROVER_FIELD, Cursor, FIELD_LINKED, RECIPIENT_FIELD } from '../transaction/cursor';
import { Transaction } from '../transaction/transaction';
import { isProvedContact } from './key';
import { paysContactsOnly } from './settings';

const SPACE: u32 = 0x20;
/** Length of the tag, "ZBC-CONTACT" and the version 1, which is in the code and not in memory. */
const TAG_LENGTH = 12;
const NAME_AT = TAG_LENGTH + HASH_LENGTH;
const ACCOUNT_AT = NAME_AT + CONTACT_NAME_LENGTH;
const KIND_LENGTH = 4;

/** Returns the length of a SIGN_TX header with these options and without a token tail. */
export function headerLength(options: i32): i32 {
  const contacts = (options & P2_RECIPIENT_CONTACT) + ((options & P2_APPROVER_CONTACT) >> 1);
  return SIGN_TX_HEADER_LENGTH + CONTACT_LENGTH * contacts + commitmentLength(options);
}

/** Returns the length of the commitment in a header with these options: 0, or COMMITMENT_LENGTH. */
export function commitmentLength(options: i32): i32 {
  return (options & P2_COMMITMENT) !== 0 ? COMMITMENT_LENGTH : 0;
}

/**
 * Returns the number of characters of the name of a contact, which is padded with zeros, or 0 if it breaks a
 * rule (docs/APDU.md#names).
 */
export function nameLength(name: usize): i32 {
  let length = 0;
  let last = SPACE;
  while (length < CONTACT_NAME_LENGTH && load<u8>(name + length) !== 0) {
    const character: u32 = load<u8>(name + length);
    if (character < SPACE || character > 0x7e || (character === SPACE && last === SPACE)) return 0;
    last = character;
    length++;
  }
  for (let i = length; i < CONTACT_NAME_LENGTH; i++) if (load<u8>(name + i) !== 0) return 0;
  // A name must not pass for an address, which begins with "ZBC_".
  const isLikeAddress = (load<u32>(name) & 0xffdfdfdf) === 0x5f43425a;
  return last === SPACE || isLikeAddress ? 0 : length;
}

/**
 * Writes the message that the proof of an account's name authenticates to the APDU buffer, whose command has
 * been read: the tag, the genesis hash, the padded name, and the wire form of the account. Returns its length.
 */
export function formContactMessage(genesisHash: usize, account: Account): i32 {
  const length = KIND_LENGTH + account.length;
  // The parts may be in the buffer itself, in this order and in front of the places where they go.
  memory.copy(apduBuffer + ACCOUNT_AT, account.payload - KIND_LENGTH, length);
  memory.copy(apduBuffer + NAME_AT, account.name, CONTACT_NAME_LENGTH);
  memory.copy(apduBuffer + TAG_LENGTH, genesisHash, HASH_LENGTH);
  store<u64>(apduBuffer, 0x544e4f432d43425a);
  store<u32>(apduBuffer, 0x01544341, 8);
  return ACCOUNT_AT + length;
}

/**
 * Checks the contacts of the header against the parsed transaction, and the setting that allows payments to
 * contacts only. Sets the names of the accounts that have one. The cursor holds the refusal, if any.
 */
export function checkContacts(cursor: Cursor, transaction: Transaction, linked: Transaction): void {
  const isApproval = transaction.type === APPROVAL_ESCROW;
  const recipientOf = isApproval ? linked : transaction;
  checkAccount(cursor, recipientOf.recipient, P2_RECIPIENT_CONTACT, contacts, isApproval);
  if (!isApproval && transaction.hasEscrow) {
    checkAccount(cursor, transaction.approver, P2_APPROVER_CONTACT, contacts + CONTACT_LENGTH, false);
  } else if ((session.options & P2_APPROVER_CONTACT) !== 0) {
    cursor.refuseAt(MALFORMED, CONTACT_UNEXPECTED, 0, headerLength(session.options & P2_RECIPIENT_CONTACT));
  }
}

function checkAccount(cursor: Cursor, account: Account, option: i32, contact: usize, isLinked: bool): void {
  const hasContact = (session.options & option) !== 0;
  const wire = account.payload - KIND_LENGTH;
  account.name = contact;
  account.nameLength = hasContact ? nameLength(contact) : 0;
  const start = isLinked ? upload.bytes + session.transactionLength : upload.bytes;
  const own = option === P2_RECIPIENT_CONTACT ? RECIPIENT_FIELD : APPROVER_FIELD;
  const field = isLinked ? FIELD_LINKED : own;
  const offset = <i32>(wire - start);
  if (hasContact) {
    const length = formContactMessage(genesisHash, account);
    if (!isProvedContact(contact + CONTACT_NAME_LENGTH, apduBuffer, length)) {
      cursor.refuseAt(MALFORMED, CONTACT_PROOF, field, offset);
    }
  } else if (!isLinked && paysContactsOnly() && memory.compare(wire, ownAccount, ACCOUNT_LENGTH) !== 0) {
    cursor.refuseAt(USER_REJECTED, CONTACT_REQUIRED, field, offset);
  }
}
