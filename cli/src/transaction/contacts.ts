import { join } from 'node:path';
import { type Account, parseAccount, ZbcSignerError } from '@zbc-signer/chain';
import { ContactBook, isContactName, type TextStore } from '@zbc-signer/host';
import { FileContacts, type Signer } from '@zbc-signer/host/node';
import { createReader, openGateway, retryRead } from '../connection/gateway.js';
import { inOption } from '../errors/errors.js';
import { stateDirectory } from '../input/config.js';
import type { Terminal } from '../output/terminal.js';

/** Finds the contacts when a command first needs them, because that asks the device and the gateway. */
export type FindContacts = () => Promise<ContactBook | undefined>;

/** For commands without a device. */
export const NO_CONTACTS: FindContacts = async () => undefined;

/** The file of this user's contacts, of every device and chain. */
export function openContactFile(): FileContacts {
  return new FileContacts(join(stateDirectory(), 'contacts.json'));
}

/** The contacts of the device, on the chain of the gateway. */
export async function openContactBook(
  signer: Pick<Signer, 'getPublicKey'>,
  options: { api?: string | undefined },
  terminal: Terminal,
  store: TextStore = openContactFile(),
): Promise<ContactBook> {
  const gateway = openGateway(options);
  const { genesisHash } = await retryRead(createReader(terminal), request => gateway.nodeInfo(request));
  const { publicKey } = await signer.getPublicKey(0, { signal: terminal.signal });
  return new ContactBook(store, { genesisHash, signer: publicKey });
}

/**
 * Like `openContactBook`; a user without contacts has no book, and then nothing is asked. The book does not change
 * during a command, so that a payment to a name has the contact of this name.
 */
export function contactsOf(...[signer, options, terminal]: Parameters<typeof openContactBook>): FindContacts {
  let book: ReturnType<FindContacts> | undefined;
  const open = async () => {
    const text = await openContactFile().load();
    const store = { load: async () => text, store: async () => undefined };
    return text === undefined ? undefined : openContactBook(signer, options, terminal, store);
  };
  return () => {
    book ??= open();
    return book;
  };
}

/** Parses an account, or the name of a contact. What is an account is never a name. */
export async function parseAccountOrName(
  option: string,
  text: string,
  findContacts: FindContacts,
): Promise<Account> {
  if (!isContactName(text)) return inOption(option, () => parseAccount(text));
  const book = await findContacts();
  if (book !== undefined) return (await book.named(text)).account;
  throw new ZbcSignerError('CONTACT_UNKNOWN', `${option} is neither an account nor the name of a contact`);
}
