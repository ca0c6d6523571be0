import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, fromHex, parseAccount, toHex } from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import {
  type Contact,
  ContactBook,
  expectedReview,
  formatContacts,
  formatDocument,
  parseContacts,
  parseDocument,
  Signer,
  SignerSession,
  type TransactionContacts,
} from '@zbc-signer/host';
import { FileContacts } from '@zbc-signer/host/node';
import { payment, paymentReview } from '../../testkit/device/payment.js';
import { codeOf, FlowFixture, SEND, SENT, sendDraft } from '../../testkit/gateway/flow-fixture.js';
import { contacts as vectors } from '../../testkit/repository/vectors.js';
import { ScriptedTransport } from './device/scripted-transport.js';

const register = vectors.cases[0]!.steps[0]!;
const BOB = parseAccount(register.review![2]![1]!);
/** The chain of the vectors, from the data of the command. */
const GENESIS = fromHex(register.command.slice(10, 74));
const OTHER: Account = { kind: 4, payload: new Uint8Array(20).fill(7) };
const named = (name: string, account = BOB) => ({ name, account, genesisHash: GENESIS });

let emulator: Emulator;
let signer: Signer;
beforeEach(async () => {
  emulator = await Emulator.start();
  signer = new Signer({ exchange: apdu => emulator.exchange(apdu), close: async () => {} });
});
afterEach(() => emulator.stop());

async function approved<Result>(call: Promise<Result>): Promise<Result> {
  call.catch(() => undefined);
  await emulator.waitForReview();
  await emulator.approve();
  return call;
}

/** The bytes with another last byte. */
const edited = (bytes: Uint8Array) => Uint8Array.from([...bytes.subarray(0, -1), (bytes.at(-1) ?? 0) ^ 1]);

const bob = () => approved(signer.registerContact(named('Bob')));

describe('a contact', () => {
  test('has the proof of the independent model, and the key of account 0', async () => {
    const contact = await bob();
    expect(`${toHex(contact.proof)}9000`).toBe(register.reply);
    expect(contact.signer).toEqual((await signer.getPublicKey(0)).publicKey);
    expect(await signer.checkContact(contact)).toBe(true);
  });

  test.each([0, 31])('with a changed byte %i of its proof is not accepted', async at => {
    const contact = await bob();
    const proof = Uint8Array.from(contact.proof);
    proof[at]! ^= 1;
    expect(await signer.checkContact({ ...contact, proof })).toBe(false);
  });

  test.each([
    ['', 'CONTACT_NAME'],
    ['A name of 25 characters!!', 'CONTACT_NAME'],
    [' Bob', 'CONTACT_NAME'],
    ['Bob ', 'CONTACT_NAME'],
    ['B  b', 'CONTACT_NAME'],
    ['zBc_Bob', 'CONTACT_NAME'],
    ['Bób', 'CONTACT_NAME'],
  ])('named %p is refused before the device is asked', async (name, code) => {
    expect(await codeOf(new Signer(new ScriptedTransport()).registerContact(named(name)))).toBe(code);
  });

  test('of no account is refused before the device is asked', async () => {
    const nobody = { kind: 2, payload: new Uint8Array(0) };
    expect(await codeOf(new Signer(new ScriptedTransport()).registerContact(named('Bob', nobody)))).toBe(
      'ACCOUNT_NONE',
    );
  });

  test('that the user rejects is not made', async () => {
    const call = signer.registerContact(named('Bob'));
    call.catch(() => undefined);
    await emulator.waitForReview();
    await emulator.reject();
    expect(await codeOf(call)).toBe('USER_REJECTED');
  });

  test('is shown as the state of a session while the user decides', async () => {
    const session = new SignerSession({ exchange: apdu => emulator.exchange(apdu), close: async () => {} });
    const contact = session.registerContact(named('Bob'));
    await emulator.waitForReview();
    expect(session.state).toMatchObject({ state: 'review', items: register.review });
    await emulator.approve();
    expect((await contact).name).toBe('Bob');
    await session.close();
  });

  test.each([
    ['registered', (old: Signer) => old.registerContact(named('Bob')), '6d00'],
    ['checked', async (old: Signer) => old.checkContact(await bob()), '6d00'],
  ])('cannot be %s with a firmware that has no contacts', async (_what, call, statusWord) => {
    const old = new Signer({
      exchange: async apdu => (apdu[1] === 8 ? fromHex(statusWord) : emulator.exchange(apdu)),
      close: async () => {},
    });
    const error = await call(old).catch(each => each);
    expect(error).toMatchObject({
      code: 'NOT_SUPPORTED',
      facts: { feature: 'contacts', firmwareVersion: '1.0.0' },
    });
  });
});

describe('a payment to a contact', () => {
  const account = parseAccount(paymentReview.find(([title]) => title === 'Recipient')![1]);
  const request = {
    account: payment.account,
    genesisHash: fromHex(payment.genesis),
    transaction: fromHex(payment.tx),
  };
  const recipient = () =>
    approved(signer.registerContact({ ...named('Carol', account), genesisHash: request.genesisHash }));

  test('shows the name before the address, and has the same signature', async () => {
    const contacts = { recipient: await recipient() };
    const call = signer.signTransaction({ ...request, contacts });
    await emulator.waitForReview();
    const at = paymentReview.findIndex(([title]) => title === 'Recipient');
    await emulator.expectReview(paymentReview.toSpliced(at, 0, ['Recipient contact', 'Carol']));
    await emulator.approve();
    expect(toHex((await call).signature)).toBe(payment.expect.signature);
  });

  test.each([
    ['of another account', (contact: Contact) => ({ ...contact, account: BOB })],
    [
      'of a chain that differs in one byte',
      (contact: Contact) => ({ ...contact, genesisHash: edited(contact.genesisHash) }),
    ],
    [
      'of a seed whose key differs in one byte',
      (contact: Contact) => ({ ...contact, signer: edited(contact.signer) }),
    ],
  ])('is refused with a contact %s before the transaction is sent', async (_what, change) => {
    const contacts = { recipient: change(await recipient()) };
    const sent: number[] = [];
    const watched = new Signer({
      exchange: apdu => {
        sent.push(apdu[1]!);
        return emulator.exchange(apdu);
      },
      close: async () => {},
    });
    expect(await codeOf(watched.signTransaction({ ...request, contacts }))).toBe('CONTACT_PROOF');
    expect(sent).not.toContain(6);
  });

  test.each([
    ['a contact', (contact: Contact) => contact],
    ['a list', (contact: Contact) => [contact]],
    ['a map', () => new Map()],
    ['nothing', () => null],
    ['a misspelt field', (contact: Contact) => ({ recipent: contact })],
    ['no recipient', () => ({ recipient: null })],
  ])('is not made without the name if contacts is %s', async (_what, given) => {
    const contacts = given(await recipient()) as TransactionContacts;
    expect(await codeOf(signer.signTransaction({ ...request, contacts }))).toMatch(
      /INVALID_INPUT|CONTACT_NAME/,
    );
    expect(emulator.reviewing).toBe(false);
  });

  test('is refused by the device with a wrong proof', async () => {
    const contacts = { recipient: { ...(await recipient()), proof: new Uint8Array(32) } };
    expect(await codeOf(signer.signTransaction({ ...request, contacts }))).toBe('CONTACT_PROOF');
  });

  test('is refused by a firmware that has no contacts, and nothing is signed', async () => {
    const contacts = { recipient: await recipient() };
    const old = new Signer({
      exchange: async apdu => (apdu[1] === 6 && apdu[3] !== 0 ? fromHex('6a86') : emulator.exchange(apdu)),
      close: async () => {},
    });
    expect(await codeOf(old.signTransaction({ ...request, contacts }))).toBe('NOT_SUPPORTED');
  });
});

describe('a contact book', () => {
  let directory: string;
  let store: FileContacts;
  let contact: Contact;
  let book: ContactBook;
  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'contacts-'));
    store = new FileContacts(join(directory, 'state/contacts.json'));
    contact = await bob();
    book = new ContactBook(store, contact);
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test('finds what it has, in a file that only its user may read', async () => {
    await book.save(contact);
    expect(await book.list()).toEqual([contact]);
    expect(await book.find(BOB)).toEqual(contact);
    expect(await book.find(OTHER)).toBeUndefined();
    expect(await book.named('Bob')).toEqual(contact);
    expect(statSync(store.path).mode & 0o777).toBe(0o600);
  });

  test('refuses a second account of one name, and a second name of one account, unless it replaces', async () => {
    await book.save(contact);
    const carol = { ...contact, name: 'Carol' };
    expect(await codeOf(book.save(carol))).toBe('CONTACT_EXISTS');
    expect(await codeOf(book.save({ ...contact, account: OTHER }))).toBe('CONTACT_EXISTS');
    await book.save(carol, { replaces: true });
    expect((await book.list()).map(({ name }) => name)).toEqual(['Carol']);
  });

  test.each(['signer', 'genesisHash'] as const)(
    'keeps the contacts of another %s, and does not show them',
    async field => {
      const foreign = { ...contact, [field]: edited(contact[field]) };
      const other = new ContactBook(store, foreign);
      await other.save(foreign);
      expect(await book.list()).toEqual([]);
      expect(await codeOf(book.named('Bob'))).toBe('CONTACT_UNKNOWN');
      expect(await codeOf(book.remove('Bob'))).toBe('CONTACT_UNKNOWN');
      await book.save(contact);
      await book.remove('Bob');
      expect(await other.list()).toHaveLength(1);
    },
  );

  test('imports what the device accepts, keeps what is of others, and replaces nothing', async () => {
    await book.save(contact);
    const carol = await approved(signer.registerContact(named('Carol', OTHER)));
    const [dave, eve, rob, zoe] = [
      { ...contact, name: 'Dave', proof: new Uint8Array(32) },
      { ...carol, name: 'Bob', account: { kind: 4, payload: new Uint8Array(20) } },
      { ...contact, name: 'Rob' },
      { ...contact, signer: new Uint8Array(32) },
    ];
    const given = [contact, carol, dave, eve, rob, zoe];
    const imported = await book.import(given, async each => each.proof[0] !== 0);
    expect(imported).toEqual({
      added: [carol],
      present: [contact],
      taken: [eve, rob],
      refused: [dave],
      others: [zoe],
    });
    expect(await book.list()).toEqual([contact, carol]);
    expect(await new ContactBook(store, zoe).list()).toEqual([zoe]);
  });

  test('loses no contact if two are saved at the same time', async () => {
    const carol = await approved(signer.registerContact(named('Carol', OTHER)));
    await Promise.all([book.save(contact), book.save(carol)]);
    expect(await book.list()).toEqual([contact, carol]);
  });

  test('never becomes too long to read', async () => {
    const many = Array.from({ length: 4000 }, (_, at) => ({
      ...contact,
      name: `Contact ${at}`,
      account: { kind: 4, payload: Uint8Array.from({ length: 20 }, (_byte, index) => (at >> index) & 1) },
    }));
    await expect(book.import(many, async () => true)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(await book.list()).toEqual([]);
  });

  test('takes no contact of another device', async () => {
    expect(await codeOf(book.save({ ...contact, signer: new Uint8Array(32) }))).toBe('CONTACT_PROOF');
  });

  test.each(['', '{}', '{"format":"zbc-signer-contacts","version":1,"contacts":[{"name":"Bob"}]}'])(
    'does not overwrite the damaged file %p',
    async text => {
      await book.save(contact);
      writeFileSync(store.path, text);
      const fault = await book.list().catch(error => error);
      expect(fault).toMatchObject({
        code: 'CONTACTS_DAMAGED',
        message: expect.stringContaining(store.path),
      });
      expect(await codeOf(book.save(contact, { replaces: true }))).toBe('CONTACTS_DAMAGED');
    },
  );

  test('survives a round trip through its document', async () => {
    const ethereum = { ...contact, name: 'Exchange', account: OTHER };
    expect(parseContacts(formatContacts([contact, ethereum]))).toEqual([contact, ethereum]);
  });
});

test('the review names the recipient before its account, and the approver before its own', () => {
  const escrow = { approver: OTHER, commission: 0n, timeout: SENT.timestamp + 60n };
  const transaction = { ...SENT, escrow: { ...escrow, instruction: new Uint8Array(0), multiParty: false } };
  const contactOf = (name: string, account: Account): Contact => ({
    ...named(name, account),
    proof: new Uint8Array(32),
    signer: new Uint8Array(32),
  });
  const contacts = { recipient: contactOf('Bob', SENT.recipient), approver: contactOf('Carol', OTHER) };
  const titles = expectedReview({ genesisHash: GENESIS, transaction, contacts }).map(([title, value]) =>
    title.endsWith('contact') ? `${title}: ${value}` : title,
  );
  expect(titles[titles.indexOf('Recipient') - 1]).toBe('Recipient contact: Bob');
  expect(titles[titles.indexOf('Escrow approver') - 1]).toBe('Approver contact: Carol');
});

test('a flow adds the contact of the recipient, and its document keeps it', async () => {
  const fixture = await FlowFixture.start();
  const draft = sendDraft();
  const [recipient, genesisHash] = [SENT.recipient, fromHex(SEND.genesis)];
  const contact = {
    name: 'Bob',
    account: recipient,
    genesisHash,
    proof: new Uint8Array(32).fill(1),
    signer: new Uint8Array(32),
  };
  await fixture.run(draft, SENT.timestamp, { contacts: { find: async () => contact } });
  expect(fixture.asked[0]!.contacts).toEqual({ recipient: contact });
  const review = fixture.events.find(({ step }) => step === 'review');
  expect(review).toMatchObject({ items: expect.arrayContaining([['Recipient contact', 'Bob']]) });
  const { signed } = fixture.events.find(event => event.step === 'submitting')!;
  const { signature: _signature, ...prepared } = signed;
  expect(parseDocument(formatDocument(prepared))).toMatchObject({ contacts: { recipient: contact } });
  // Nobody can tell of a signed transaction whether its names are proved.
  const document = formatDocument(signed);
  expect(document).not.toContain('Bob');
  const forged = JSON.stringify({
    ...JSON.parse(document),
    contacts: JSON.parse(formatDocument(prepared)).contacts,
  });
  expect(() => parseDocument(forged)).toThrow('only a prepared transaction has contacts');
  await fixture.gateway.stop();
});

test('a flow stops waiting for contacts, and keeps no timestamp of a payment that it did not make', async () => {
  const fixture = await FlowFixture.start();
  const find = () => new Promise<undefined>(() => undefined);
  const waiting = { contacts: { find }, signal: AbortSignal.timeout(100) };
  expect(await codeOf(fixture.run(sendDraft(), SENT.timestamp, waiting))).toBe('ABORTED');
  await fixture.run(sendDraft());
  const { signed } = fixture.events.find(event => event.step === 'submitting')!;
  expect(signed.transaction.timestamp).toBe(SENT.timestamp);
  await fixture.gateway.stop();
});

test('a flow whose contacts cannot be read signs nothing', async () => {
  const fixture = await FlowFixture.start();
  const find = async () => {
    throw new TypeError('no disk');
  };
  const error = await fixture.run(sendDraft(), SENT.timestamp, { contacts: { find } }).catch(each => each);
  expect(error).toMatchObject({ code: 'CONTACTS_DAMAGED', message: expect.stringContaining('no disk') });
  expect(fixture.asked).toEqual([]);
  await fixture.gateway.stop();
});
