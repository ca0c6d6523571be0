import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeAccount, parseAccount, toHex } from '@zbc-signer/chain';
import { FIRST, Journey, SECOND } from '../../testkit/network/journey.js';

let journey: Journey;
let state: string;
beforeAll(async () => {
  journey = await Journey.start();
}, 60_000);
afterAll(() => journey.stop());
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'state-'));
  journey.state = state;
});
afterEach(() => rmSync(state, { recursive: true }));

const addBob = () => journey.decide('approve', 'contact', 'add', 'Bob', SECOND);

test('a name is registered once, and shown with each payment to it, by name, address or hex', async () => {
  const added = await addBob();
  expect([added.code, added.review]).toEqual([
    0,
    [
      ['New contact', 'Bob'],
      ['Network', 'ZBC Devnet'],
      ['Address', SECOND],
    ],
  ]);
  for (const to of ['Bob', SECOND, toHex(encodeAccount(parseAccount(SECOND)))]) {
    const sent = await journey.decide('approve', 'send', '--to', to, '--amount', '0.5', '--pay-again');
    expect(sent.code).toBe(0);
    const at = sent.review.findIndex(([title]) => title === 'Recipient contact');
    expect(sent.review.slice(at, at + 2)).toEqual([
      ['Recipient contact', 'Bob'],
      ['Recipient', SECOND],
    ]);
  }
});

test('the approver of an escrow is shown by name too', async () => {
  await addBob();
  const sent = await journey.decide(
    'reject',
    ...['send', '--to', FIRST, '--amount', '1', '--escrow-approver', 'Bob', '--escrow-timeout', '1h'],
  );
  expect(sent.code).toBe(4);
  expect(sent.review).toEqual(expect.arrayContaining([['Approver contact', 'Bob']]));
  expect(sent.review).not.toEqual(expect.arrayContaining([['Recipient contact', expect.anything()]]));
});

test('a contact that the user rejects is not kept', async () => {
  expect((await journey.decide('reject', 'contact', 'add', 'Bob', SECOND)).code).toBe(4);
  expect(JSON.parse((await journey.run('contact', 'list', '--json')).stdout)).toEqual({ contacts: [] });
  const { code, stderr } = await journey.run('send', '--to', 'Bob', '--amount', '1');
  expect([code, stderr]).toEqual([2, expect.stringContaining('contact')]);
});

test('a second account of the same name is refused before the device asks', async () => {
  await addBob();
  const { code, stdout } = await journey.run('contact', 'add', 'Bob', FIRST, '--json');
  expect([code, JSON.parse(stdout).error.code]).toEqual([2, 'CONTACT_EXISTS']);
  expect(journey.server.emulator.reviewing).toBe(false);
  expect((await journey.decide('approve', 'contact', 'add', 'Bob', FIRST, '--replace')).code).toBe(0);
});

test('a backup is imported on another computer, and changed contacts are not', async () => {
  await addBob();
  const backup = (await journey.run('contact', 'export')).stdout;
  const path = join(state, 'backup.json');
  const [contact] = JSON.parse(backup).contacts;
  const forged = { ...contact, name: 'Mallory', account: FIRST };
  writeFileSync(path, JSON.stringify({ ...JSON.parse(backup), contacts: [contact, forged] }));
  await journey.run('contact', 'remove', 'Bob');
  const { stdout } = await journey.run('contact', 'import', path, '--json');
  expect(JSON.parse(stdout)).toMatchObject({
    added: [{ name: 'Bob' }],
    refused: [{ name: 'Mallory' }],
  });
  expect(JSON.parse((await journey.run('contact', 'import', path, '--json')).stdout)).toMatchObject({
    added: [],
    present: [{ name: 'Bob' }],
  });
  const { contacts } = JSON.parse((await journey.run('contact', 'list', '--check', '--json')).stdout);
  expect(contacts).toMatchObject([{ name: 'Bob', account: SECOND, accepted: true }]);
});

test('a contact is forgotten without a device', async () => {
  await addBob();
  const { code } = await journey.run('contact', 'remove', 'Bob', '--device', 'http://127.0.0.1:9');
  expect(code).toBe(0);
  expect(JSON.parse((await journey.run('contact', 'list', '--json')).stdout)).toEqual({ contacts: [] });
});

test('a transaction is built with the name, signed elsewhere and shown with it', async () => {
  await addBob();
  const built = await journey.run('tx', 'build', '--to', 'Bob', '--amount', '0.25');
  const path = join(state, 'built.json');
  writeFileSync(path, built.stdout);
  const signed = await journey.decide('approve', 'tx', 'sign', path);
  expect(signed.code).toBe(0);
  expect(signed.review).toEqual(expect.arrayContaining([['Recipient contact', 'Bob']]));
});
