import { accountText } from '@zbc-signer/chain';
import { type Contact, parseContacts } from '@zbc-signer/host';
import { openContactFile } from '../../transaction/contacts.js';

/** A contact in JSON; the account in the form that `--to` accepts. */
export function contactJson({ name, account, genesisHash, signer }: Contact): Record<string, unknown> {
  return {
    name,
    account: accountText(account),
    genesis_hash: genesisHash,
    signer,
  };
}

/** The contacts of every device and chain. */
export async function readContacts(): Promise<Contact[]> {
  const text = await openContactFile().load();
  return text === undefined ? [] : parseContacts(text);
}
