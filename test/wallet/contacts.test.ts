import { fromHex, parseAccount } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { type Contact, formatContacts, parseContacts } from '@zbc-signer/host';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { nameOf } from '#wallet/page/accounts.js';
import {
  addContact,
  checkNewContact,
  exportContacts,
  importContacts,
  parseRecipient,
  readContacts,
  removeContact,
} from '#wallet/page/contacts.js';
import { signForLater } from '#wallet/page/payments.js';
import { disconnect } from '#wallet/page/signer.js';
import type { Wallet } from '#wallet/page/wallet.js';
import { OTHER } from '../../testkit/gateway/chain-answers.js';
import { ModelBrowser } from '../../testkit/wallet/model-browser.js';
import { connectedWallet, startScene } from './wallet-scene.js';

const ACCOUNT = parseAccount(OTHER);
const DRAFT = { type: SEND_ZBC, recipient: ACCOUNT, amount: 5n } as const;
/** Another seed of 64 bytes. */
const OTHER_SEED = `hex:${'7b'.repeat(64)}`;

let emulator: Emulator;
let profile: ModelBrowser;

beforeEach(async () => {
  ({ emulator, profile } = await startScene());
});
afterEach(() => emulator.stop());

const openWallet = () => connectedWallet(profile);

/** Adds a contact, and approves it on the device, which is first asked about the contacts that are there. */
async function add(wallet: Wallet, name = 'Bob', account = ACCOUNT): Promise<void> {
  const adding = addContact(wallet, { name, account }, new AbortController().signal);
  const ended = adding.then(
    () => true,
    () => true,
  );
  const pause = () => new Promise<boolean>(resolve => setTimeout(() => resolve(false), 5));
  while (!emulator.reviewing && !(await Promise.race([ended, pause()])));
  if (emulator.reviewing) await emulator.approve();
  await adding;
}

/** Pays into a file, and returns the titles and values that the device has shown. */
async function itemsOfPayment(wallet: Wallet): Promise<Map<string, string>> {
  const signing = signForLater(wallet, DRAFT, { title: 'Send' });
  signing.catch(() => undefined);
  await emulator.waitForReview();
  const items = new Map(await emulator.review());
  await emulator.approve();
  await signing;
  return items;
}

const namesOf = (contacts: readonly Contact[]) => contacts.map(({ name }) => name);

/** Changes the contacts in the browser, as software on the computer can. */
async function alter(wallet: Wallet, change: (contact: Contact) => Contact): Promise<void> {
  const kept = parseContacts(await exportContacts(wallet));
  await wallet.contacts.store(formatContacts(kept.map(change)));
}

/** The contact with another byte in its proof. */
function spoiled(contact: Contact): Contact {
  const proof = Uint8Array.from(contact.proof);
  proof[0]! ^= 1;
  return { ...contact, proof };
}

test('a contact that the user approved is known to other tabs, and the device shows its name in a payment', async () => {
  const wallet = await openWallet();
  await add(wallet);
  await disconnect(wallet);
  const other = await openWallet();
  expect(namesOf(other.state.contacts)).toEqual(['Bob']);
  expect(nameOf(other, OTHER)).toBe('Bob');
  expect(parseRecipient(other.state, 'Bob')).toEqual(ACCOUNT);
  const items = await itemsOfPayment(other);
  expect([items.get('Recipient contact'), items.get('Recipient')]).toEqual(['Bob', OTHER]);
});

test('a contact that the user rejected is not kept', async () => {
  const wallet = await openWallet();
  const adding = addContact(wallet, { name: 'Bob', account: ACCOUNT }, new AbortController().signal);
  adding.catch(() => undefined);
  await emulator.waitForReview();
  await emulator.reject();
  await expect(adding).rejects.toMatchObject({ code: 'USER_REJECTED' });
  expect(parseContacts(await exportContacts(wallet))).toEqual([]);
});

test('the page shows no name without the device, and none whose proof the device does not accept', async () => {
  const wallet = await openWallet();
  await add(wallet);
  await alter(wallet, spoiled);
  await readContacts(wallet);
  expect(nameOf(wallet, OTHER)).toBeUndefined();
  expect(() => parseRecipient(wallet.state, 'Bob')).toThrow();
  expect(namesOf(wallet.state.unprovedContacts)).toEqual(['Bob']);
  await alter(wallet, spoiled);
  await readContacts(wallet);
  expect(nameOf(wallet, OTHER)).toBe('Bob');
  await disconnect(wallet);
  expect(nameOf(wallet, OTHER)).toBeUndefined();
});

test('a payment whose contact the device does not accept is not signed, and not asked for without the contact', async () => {
  const wallet = await openWallet();
  await add(wallet);
  await alter(wallet, spoiled);
  await readContacts(wallet);
  const signing = signForLater(wallet, DRAFT, { title: 'Send' });
  signing.catch(() => undefined);
  await Promise.race([signing, emulator.waitForReview()]).catch(() => undefined);
  expect(emulator.reviewing).toBe(false);
  await expect(signing).rejects.toMatchObject({ code: 'CONTACT_PROOF' });
  await readContacts(wallet);
  await add(wallet);
  expect((await itemsOfPayment(wallet)).get('Recipient contact')).toBe('Bob');
});

test('a payment to a name that is shown has the name, although another tab has removed the contact', async () => {
  const wallet = await openWallet();
  await add(wallet);
  await wallet.contacts.store(formatContacts([]));
  expect((await itemsOfPayment(wallet)).get('Recipient contact')).toBe('Bob');
});

test('the device is not asked about a contact that another tab has added', async () => {
  const wallet = await openWallet();
  await add(wallet);
  const added = await exportContacts(wallet);
  await removeContact(wallet, wallet.state.contacts[0]!);
  await wallet.contacts.store(added);
  await expect(add(wallet)).rejects.toMatchObject({ field: 'contact-name' });
});

test('contacts of another seed are listed apart, and are not used, until they are registered again', async () => {
  const first = await openWallet();
  await add(first);
  await disconnect(first);
  await emulator.stop();
  emulator = await Emulator.start({ seed: OTHER_SEED });
  profile = Object.assign(new ModelBrowser(emulator, profile.chain, () => 0), {
    database: profile.database,
    stored: profile.stored,
  });
  const wallet = await openWallet();
  expect([namesOf(wallet.state.contacts), namesOf(wallet.state.unprovedContacts)]).toEqual([[], ['Bob']]);
  expect(nameOf(wallet, OTHER)).toBeUndefined();
  await add(wallet);
  expect(namesOf(wallet.state.contacts)).toEqual(['Bob']);
  await removeContact(wallet, wallet.state.unprovedContacts[0]!);
  expect([namesOf(wallet.state.contacts), wallet.state.unprovedContacts]).toEqual([['Bob'], []]);
});

test('a second contact of the same name or address is refused before the device is asked', async () => {
  const wallet = await openWallet();
  await add(wallet);
  const other = wallet.state.accounts[0]!.address;
  for (const [contact, field] of [
    [{ name: 'Bob', account: parseAccount(other) }, 'contact-name'],
    [{ name: 'Rob', account: ACCOUNT }, 'contact-address'],
  ] as const) {
    expect(() => checkNewContact(wallet.state, contact)).toThrow(expect.objectContaining({ field }));
  }
  // Another tab has added the contact, and this tab does not know it.
  wallet.change({ contacts: [] });
  await expect(add(wallet)).rejects.toThrow('already');
  expect(emulator.reviewing).toBe(false);
});

test('a file adds only what the device accepts, and replaces nothing', async () => {
  const wallet = await openWallet();
  await add(wallet);
  const [bob] = wallet.state.contacts as [Contact];
  const other = parseAccount(wallet.state.accounts[0]!.address);
  await removeContact(wallet, bob);
  const foreign = { ...bob, name: 'Old', signer: fromHex('cd'.repeat(32)) };
  const file = formatContacts([spoiled(bob), { ...bob, account: other }, foreign]);
  const counts = async (text: string) =>
    Object.values(await importContacts(wallet, text)).map((contacts: Contact[]) => contacts.length);
  // Added, there already, taken, refused, and kept for others.
  expect(await counts(file)).toEqual([0, 0, 0, 2, 1]);
  expect([namesOf(wallet.state.contacts), namesOf(wallet.state.unprovedContacts)]).toEqual([[], ['Old']]);
  expect(await counts(formatContacts([bob]))).toEqual([1, 0, 0, 0, 0]);
  expect(await counts(formatContacts([bob]))).toEqual([0, 1, 0, 0, 0]);
  expect(namesOf(wallet.state.contacts)).toEqual(['Bob']);
  await expect(importContacts(wallet, '{}')).rejects.toMatchObject({ code: 'CONTACTS_DAMAGED' });
});

test('contacts that cannot be read stop a payment, and show no name', async () => {
  const wallet = await openWallet();
  await add(wallet);
  await wallet.contacts.store('{');
  await readContacts(wallet);
  expect(wallet.state.contactsError).toMatchObject({ code: 'CONTACTS_DAMAGED' });
  expect(nameOf(wallet, OTHER)).toBeUndefined();
  await expect(signForLater(wallet, DRAFT, { title: 'Send' })).rejects.toMatchObject({
    code: 'CONTACTS_DAMAGED',
  });
  expect(emulator.reviewing).toBe(false);
});
