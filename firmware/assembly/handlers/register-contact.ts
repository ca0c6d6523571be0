import { P1_CHECK } from '../../../protocol/src/commands';
import { CONTACT_NAME_LENGTH, CONTACT_PROOF_LENGTH, HASH_LENGTH } from '../../../protocol/src/limits';
import {
  ACCOUNT_KIND,
  CONTACT_NAME,
  CONTACT_PROOF,
  HEADER_LENGTH,
} from '../../../protocol/src/refusal-reasons';
import { LOCKED, MALFORMED, OK } from '../../../protocol/src/status-words';
import { describeContact } from '../review/contact';
import { sumOfItems } from '../seal';
import { apduBuffer, contacts, genesisHash, items, reviewedHash, session } from '../session';
import { Account, payloadLength } from '../transaction/account';
import { Command } from './command';
import { formContactMessage, nameLength } from './contact';
import { checkOwnAccount, isLocked, isProvedContact, loadOwnAccount, proveContactTo } from './key';
import { reply, replyData, replyHeaderRefusal, replyOk } from './reply';
import { openReview, REVIEW_CONTACT } from './review';
import { showsDetails } from './settings';
import { refuseUnknownChain } from './unknown-chain';

// Offsets of the fields (docs/APDU.md#register_contact).
const NAME_AT = HASH_LENGTH;
const KIND_AT = NAME_AT + CONTACT_NAME_LENGTH;
const PAYLOAD_AT = KIND_AT + 4;

const account: Account = changetype<Account>(memory.data(offsetof<Account>(), 8));

/** Answers REGISTER_CONTACT: opens the review of a contact, or checks its proof. */
export function answerRegisterContact(command: Command): i32 {
  const data = command.data;
  if (command.length < PAYLOAD_AT) return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
  if (nameLength(data + NAME_AT) === 0) return replyHeaderRefusal(MALFORMED, NAME_AT, CONTACT_NAME);
  const payload = payloadLength(load<u32>(data, KIND_AT));
  if (payload <= 0) return replyHeaderRefusal(MALFORMED, KIND_AT, ACCOUNT_KIND);
  const end = PAYLOAD_AT + payload;
  const isCheck = command.p1 === P1_CHECK;
  if (command.length !== (isCheck ? end + CONTACT_PROOF_LENGTH : end)) {
    return replyHeaderRefusal(MALFORMED, 0, HEADER_LENGTH);
  }
  const refused = refuseUnknownChain(data, 0);
  if (refused !== 0) return refused;
  if (isLocked()) return reply(LOCKED);
  return isCheck ? answerCheck(data, end) : reviewContact(data, end);
}

/** Replies whether the proof at offset `end` of the data is right. It changes no state of another command. */
function answerCheck(data: usize, end: i32): i32 {
  // The message is longer than what is in front of the proof, which is therefore moved first.
  const proof = apduBuffer + 2 * HASH_LENGTH + end;
  memory.copy(proof, data + end, CONTACT_PROOF_LENGTH);
  open(data + NAME_AT, data + KIND_AT);
  const isProved = isProvedContact(proof, apduBuffer, formContactMessage(data, account));
  return isProved ? replyOk() : replyHeaderRefusal(MALFORMED, end, CONTACT_PROOF);
}

function reviewContact(data: usize, end: i32): i32 {
  session.account = 0;
  const status = loadOwnAccount(0);
  if (status !== OK) return reply(status);
  memory.copy(genesisHash, data, HASH_LENGTH);
  memory.copy(contacts, data + NAME_AT, end - NAME_AT);
  formItems();
  session.transactionLength = account.length;
  return openReview(REVIEW_CONTACT, 'Save contact', 'Reject contact');
}

function formItems(): void {
  open(contacts, contacts + CONTACT_NAME_LENGTH);
  items.clear();
  describeContact(items, account, genesisHash, showsDetails());
}

/** Reads the account at `wire`, whose kind was checked. */
function open(name: usize, wire: usize): void {
  account.name = name;
  account.nameLength = nameLength(name);
  account.kind = load<u32>(wire);
  account.length = payloadLength(account.kind);
  account.payload = wire + 4;
}

/**
 * Replies with the proof of the contact that was shown. Called only after an approval. The items are first
 * formed again and compared with the reviewed ones, as is the length of the account; the proof is formed twice.
 */
export function answerApprovedContact(): i32 {
  const shown = sumOfItems();
  formItems();
  if (sumOfItems() !== shown || account.length !== session.transactionLength) unreachable();
  let status = checkOwnAccount(session.account);
  if (status === OK) status = formProof(reviewedHash);
  if (status === OK) status = formProof(apduBuffer);
  if (status !== OK) return reply(status);
  if (memory.compare(apduBuffer, reviewedHash, CONTACT_PROOF_LENGTH) !== 0) unreachable();
  return replyData(CONTACT_PROOF_LENGTH, OK);
}

function formProof(out: usize): i32 {
  const length = formContactMessage(genesisHash, account);
  return proveContactTo(out, apduBuffer, length);
}
