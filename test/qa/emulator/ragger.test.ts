import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmulatorServer, restoreSeed } from '@zbc-signer/emulator';
import { PNG } from 'pngjs';
import { signMessage, signTransaction } from '../../../testkit/device/apdu.js';
import { CONFIRM_ADDRESS_HEX, CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { root } from '../../../testkit/repository/repository.js';
import { accounts, messages, transactions } from '../../../testkit/repository/vectors.js';
import { PATTERNS, Ragger } from './ragger.js';

let server: EmulatorServer;
let ragger: Ragger;

beforeEach(async () => {
  server = await startServer();
  ragger = await Ragger.connect(server.api);
});

afterEach(async () => {
  ragger.close();
  await server.close();
});

const hexOf = (apdu: Uint8Array) => Buffer.from(apdu).toString('hex');
const pixelsOf = (png: Uint8Array) => PNG.sync.read(Buffer.from(png)).data.toString('latin1');

/** Sends all commands except the last, then the last while the user acts. */
async function review(apdus: Uint8Array[], pattern: string): Promise<{ reply: string; screens: Buffer[] }> {
  for (const apdu of apdus.slice(0, -1)) expect(await ragger.exchange(hexOf(apdu))).toBe('9000');
  let screens: Buffer[] = [];
  const reply = await ragger.exchangeAsync(hexOf(apdus.at(-1)!), async () => {
    screens = await ragger.navigateUntilText(pattern);
  });
  return { reply, screens };
}

function reviewed(name: string): string[] {
  const directory = join(root, 'test/qa/snapshots', name);
  return readdirSync(directory)
    .sort()
    .map(file => pixelsOf(readFileSync(join(directory, file))));
}

const named = (name: string) => transactions.cases.find(vector => vector.name === name)!;

describe("Ragger's scenarios", () => {
  test.each([
    ['send', 'send to self, reference length 113'],
    ['token', 'token, host reports decimals and symbol'],
    ['escrow-approve', 'escrow approve, coin'],
    ['escrow-reject', 'escrow reject, token'],
  ])('approve a transaction, %s, with every screen equal to the reviewed screen', async (directory, name) => {
    const vector = named(name);
    const { reply, screens } = await review(signTransaction(vector), PATTERNS.transaction.approve);
    expect(reply).toBe(`${vector.expect.signature}${vector.expect.tx_hash}9000`);
    expect(screens.map(pixelsOf)).toEqual(reviewed(directory));
    expect(ragger.isHome()).toBe(true);
  });

  test('reject a transaction', async () => {
    const apdus = signTransaction(named('escrow reject, coin'));
    expect((await review(apdus, PATTERNS.transaction.reject)).reply).toBe('6985');
    expect(ragger.isHome()).toBe(true);
  });

  test('approve and reject a message', async () => {
    const { account, message, expect: wanted } = messages.cases[0]!;
    const apdus = signMessage(account, Buffer.from(message, 'hex'));
    expect((await review(apdus, PATTERNS.transaction.reject)).reply).toBe('6985');
    const signature = 'signature' in wanted ? wanted.signature : '';
    expect((await review(apdus, PATTERNS.transaction.approve)).reply).toBe(`${signature}9000`);
  });

  test('approve and reject an address', async () => {
    const apdus = [Buffer.from(CONFIRM_ADDRESS_HEX, 'hex')];
    expect((await review(apdus, PATTERNS.address.reject)).reply).toBe('6985');
    expect((await review(apdus, PATTERNS.address.approve)).reply).toBe(CONFIRMED_HEX);
  });
});

test("streams each text of a screen as a separate event, as Ragger's reader expects", async () => {
  const apdus = [Buffer.from(CONFIRM_ADDRESS_HEX, 'hex')];
  await review(apdus, PATTERNS.address.approve);
  const texts: string[] = [];
  while (texts.at(-1) !== 'is ready') texts.push((await ragger.nextEvent()).text);
  expect(texts[0]).toBe('Address');
  expect(texts.slice(-4)).toEqual(['Approve', 'approve: press both', 'ZBC Signer', 'is ready']);
});

test('continues as soon as the headers of a held reply arrive', async () => {
  const reply = ragger.exchangeAsync(CONFIRM_ADDRESS_HEX, async () => {
    expect(server.emulator.reviewing).toBe(true);
    await server.emulator.approve();
  });
  expect(await reply).toBe(CONFIRMED_HEX);
});

test('finds the same screens on a device with a keystore, after the words were entered', async () => {
  const behind = await startServer({ keystore: {} });
  restoreSeed(behind.emulator, accounts.mnemonic);
  ragger.close();
  ragger = await Ragger.connect(behind.api);
  const vector = named('send to self, reference length 113');
  const { reply, screens } = await review(signTransaction(vector), PATTERNS.transaction.approve);
  expect(reply).toBe(`${vector.expect.signature}${vector.expect.tx_hash}9000`);
  expect(screens.map(pixelsOf)).toEqual(reviewed('send'));
  await behind.close();
});
