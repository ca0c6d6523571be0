import {
  accountFromHex,
  accountText,
  formatJson,
  fromHex,
  invalidInputError,
  parseAccount,
  parseJson,
  toHex,
  ZbcSignerError,
} from '@zbc-signer/chain';
import { type Contact, copyContact } from '../device/contact.js';
import { reasonOf } from '../errors.js';

const FORMAT = 'zbc-signer-contacts';
const VERSION = 1n;
/** Greatest length of a document in characters, which are ASCII: some 3,000 contacts. */
export const MAX_CONTACTS_LENGTH = 1_048_576;

/**
 * Writes contacts as a JSON document (docs/TRANSACTION.md#contacts), for a backup or another computer. Throws
 * `INVALID_INPUT` if it would be too long to read.
 */
export function formatContacts(contacts: readonly Contact[]): string {
  const text = `${formatJson({
    format: FORMAT,
    version: VERSION,
    contacts: contacts.map(({ name, account, genesisHash, proof, signer }) => ({
      name,
      account: accountText(account),
      genesis_hash: toHex(genesisHash),
      proof: toHex(proof),
      signer: toHex(signer),
    })),
  })}\n`;
  if (text.length > MAX_CONTACTS_LENGTH)
    throw invalidInputError('there are too many contacts for one document');
  return text;
}

/**
 * Reads a document of `formatContacts`. Throws `CONTACTS_DAMAGED`. Only a device can tell whether the proofs are
 * right: `Signer.checkContact`.
 */
export function parseContacts(json: string): Contact[] {
  try {
    if (json.length > MAX_CONTACTS_LENGTH)
      throw damaged(`it is longer than ${MAX_CONTACTS_LENGTH} characters`);
    const { format, version, contacts }: Record<string, unknown> = Object(parseJson(json));
    if (format !== FORMAT || version !== VERSION) throw damaged(`it is not ${FORMAT} of version ${VERSION}`);
    if (!Array.isArray(contacts)) throw damaged('contacts is not a list');
    return contacts.map(readContact);
  } catch (cause) {
    if (Object(cause).code === 'CONTACTS_DAMAGED') throw cause;
    throw damaged(reasonOf(cause), cause);
  }
}

/** Contacts cannot be read or written; `what` says which. */
export function contactsError(what: string, cause: unknown): ZbcSignerError {
  return new ZbcSignerError('CONTACTS_DAMAGED', `${what}: ${reasonOf(cause)}`, { cause });
}

function damaged(fault: string, cause?: unknown): ZbcSignerError {
  return new ZbcSignerError('CONTACTS_DAMAGED', `not a document of contacts: ${fault}`, { cause });
}

function readContact(json: unknown): Contact {
  const fields: Record<string, unknown> = Object(json);
  const text = (name: string): string => {
    const value = fields[name];
    if (typeof value !== 'string') throw damaged(`${name} is not a text`);
    return value;
  };
  const account = text('account');
  return copyContact({
    name: text('name'),
    account: account.startsWith('ZBC_') ? parseAccount(account) : accountFromHex(account),
    genesisHash: fromHex(text('genesis_hash')),
    proof: fromHex(text('proof')),
    signer: fromHex(text('signer')),
  });
}
