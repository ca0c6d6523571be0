import { concatBytes } from '@noble/hashes/utils.js';
import {
  type Account,
  encodeAccount,
  invalidInputError,
  KIND_NONE,
  sameAccount,
  type Transaction,
  ZbcSignerError,
} from '@zbc-signer/chain';
import { P2_APPROVER_CONTACT, P2_NONE, P2_RECIPIENT_CONTACT } from '@zbc-signer/protocol/commands';
import {
  CONTACT_NAME_LENGTH,
  CONTACT_PROOF_LENGTH,
  HASH_LENGTH,
  PUBLIC_KEY_LENGTH,
} from '@zbc-signer/protocol/limits';
import { copyBytes, readBytes } from '../bytes.js';

/** A name that the user gave to an account of one chain, with the proof of the device (docs/APDU.md#register_contact). */
export interface Contact {
  /** 1 to 24 characters of printable ASCII (docs/APDU.md#names). */
  name: string;
  account: Account;
  /** The chain for which the name was approved, 32 bytes. */
  genesisHash: Uint8Array;
  /** 32 bytes. It is not secret. */
  proof: Uint8Array;
  /** Public key of account 0 of the device that gave the proof, 32 bytes. Another seed has other contacts. */
  signer: Uint8Array;
}

/** A contact that no device has approved yet. */
export type NewContact = Pick<Contact, 'name' | 'account' | 'genesisHash'>;

/** The contacts of a transaction. The device shows their names beside the whole addresses. */
export interface TransactionContacts {
  /** Contact of the recipient; for an escrow approval, of the recipient of the escrowed transaction. */
  recipient?: Contact | undefined;
  /** Contact of the approver of the escrow. */
  approver?: Contact | undefined;
}

/** Whether a contact can have this name. No account can be written like this. */
export function isContactName(text: string): boolean {
  return nameFault(text) === undefined;
}

/** Throws `CONTACT_NAME` for a name that a device refuses (docs/APDU.md#names). */
export function checkContactName(name: string): void {
  const fault = nameFault(name);
  if (fault !== undefined) throw new ZbcSignerError('CONTACT_NAME', `the name of a contact ${fault}`);
}

function nameFault(name: unknown): string | undefined {
  if (typeof name !== 'string' || !/^[\x20-\x7e]{1,24}$/.test(name)) {
    return `must have 1 to ${CONTACT_NAME_LENGTH} letters, digits, spaces or other characters of ASCII`;
  }
  if (name.startsWith(' ') || name.endsWith(' ') || name.includes('  '))
    return 'must not begin or end with a space, nor have two in a row';
  return /^zbc_/i.test(name) ? 'must not begin with ZBC_, like an address' : undefined;
}

/** Copies a contact without its proof. Throws `CONTACT_NAME`, `ACCOUNT_…` or `INVALID_INPUT` if it is not one. */
export function readNewContact(contact: NewContact): NewContact {
  const { name, account, genesisHash } = Object(contact) as Contact;
  checkContactName(name);
  return {
    name,
    account: copyAccount(account),
    genesisHash: readBytes('genesisHash', genesisHash, HASH_LENGTH),
  };
}

/** Like `readNewContact`, with the proof. */
export function copyContact(contact: Contact): Contact {
  const { proof, signer } = Object(contact) as Contact;
  return {
    ...readNewContact(contact),
    proof: readBytes('proof', proof, CONTACT_PROOF_LENGTH),
    signer: readBytes('signer', signer, PUBLIC_KEY_LENGTH),
  };
}

function copyAccount(account: Account): Account {
  const { kind, payload } = Object(account) as Account;
  if (typeof kind !== 'number') throw invalidInputError('account must be an account: use parseAccount');
  const copy = { kind, payload: copyBytes(payload) ?? new Uint8Array(0) };
  encodeAccount(copy);
  if (kind === KIND_NONE) throw new ZbcSignerError('ACCOUNT_NONE', 'a contact must have an account');
  return copy;
}

/**
 * Copies the contacts that are given; undefined if there is none. Throws `INVALID_INPUT` for anything else, which
 * may be a misspelt field: the payment would otherwise be made without the name.
 */
export function copyContacts(contacts: TransactionContacts | undefined): TransactionContacts | undefined {
  if (contacts === undefined) return undefined;
  const isRecord =
    typeof contacts === 'object' && Object.prototype.toString.call(contacts) === '[object Object]';
  const { recipient, approver, ...others } = Object(contacts) as TransactionContacts;
  if (!isRecord || Object.keys(others).length > 0)
    throw invalidInputError('contacts must be an object with recipient, approver or both');
  if (recipient === undefined && approver === undefined) return undefined;
  return {
    ...(recipient !== undefined && { recipient: copyContact(recipient) }),
    ...(approver !== undefined && { approver: copyContact(approver) }),
  };
}

/** The data of REGISTER_CONTACT (docs/APDU.md#register_contact). */
export function encodeContact({ name, account, genesisHash }: NewContact): Uint8Array {
  return concatBytes(genesisHash, encodeName(name), encodeAccount(account));
}

/** P2 of the header of SIGN_TX, which says what contacts it has (docs/APDU.md#contacts-in-sign_tx). */
export function contactOptions({ recipient, approver }: TransactionContacts = {}): number {
  return (recipient ? P2_RECIPIENT_CONTACT : P2_NONE) | (approver ? P2_APPROVER_CONTACT : P2_NONE);
}

/** The contacts in the header of SIGN_TX (docs/APDU.md#contacts-in-sign_tx). */
export function encodeContacts({ recipient, approver }: TransactionContacts = {}): Uint8Array {
  const given = [recipient, approver].flatMap(contact => contact ?? []);
  return concatBytes(...given.flatMap(({ name, proof }) => [encodeName(name), proof]));
}

function encodeName(name: string): Uint8Array {
  const bytes = new Uint8Array(CONTACT_NAME_LENGTH);
  bytes.set(new TextEncoder().encode(name));
  return bytes;
}

/** The transaction and chain for which contacts are given; `linked` is the escrowed transaction of an approval. */
export interface ContactSubject {
  genesisHash: Uint8Array;
  transaction: Transaction;
  linked?: Transaction | undefined;
}

/** The accounts whose contacts a transaction can have. */
export function accountsToName({
  transaction,
  linked,
}: Omit<ContactSubject, 'genesisHash'>): Record<keyof TransactionContacts, Account | undefined> {
  return { recipient: (linked ?? transaction).recipient, approver: transaction.escrow?.approver };
}

/** Throws `CONTACT_PROOF`, as the device would, if a contact is of another chain or account than its field. */
export function checkContacts(contacts: TransactionContacts, subject: ContactSubject): void {
  const accounts = accountsToName(subject);
  for (const field of ['recipient', 'approver'] as const) {
    const contact = contacts[field];
    if (contact === undefined) continue;
    const account = accounts[field];
    if (account === undefined || !sameAccount(contact.account, account))
      throw contactProofError(`the contact "${contact.name}" is not the ${field} of the transaction`);
    if (contact.genesisHash.some((byte, at) => byte !== subject.genesisHash[at]))
      throw contactProofError(`the contact "${contact.name}" was approved for another chain`);
  }
}

/** Throws `CONTACT_PROOF` if a contact is of another seed; `signer` is the public key of account 0, 32 bytes. */
export function checkContactSigner({ recipient, approver }: TransactionContacts, signer: Uint8Array): void {
  for (const contact of [recipient, approver]) {
    if (contact?.signer.some((byte, at) => byte !== signer[at]))
      throw contactProofError(`the contact "${contact.name}" was approved under another seed or passphrase`);
  }
}

function contactProofError(fault: string): ZbcSignerError {
  return new ZbcSignerError('CONTACT_PROOF', `${fault}: nothing was signed`);
}
