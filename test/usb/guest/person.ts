// Runs in the guest, on a terminal: a user's tests with the harness, on the plugged-in device of
// ZBC_SIGNER_DEVICE. The person who reads the terminal and presses is outside. The last two tests must fail.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { Emulator } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import type { RemoteEmulator } from './emulator-remote.js';
import { second as faulty, plugIn, first as right, unplug } from './plugs.js';

interface TransactionCase {
  name: string;
  account: number;
  genesis: string;
  tx: string;
  expect: { review: [string, string][]; signature: string };
}

const vectors: { cases: TransactionCase[] } = JSON.parse(
  readFileSync(new URL('../../../vectors/transactions.json', import.meta.url), 'utf8'),
);
const payment = vectors.cases.find(({ name }) => name === 'send with escrow and message')!;
const LIMIT = { timeout: 600_000 };

let plugged: RemoteEmulator | undefined;

/** Plugs in only this device, and reports it on the terminal. */
async function begin(t: TestContext, device: RemoteEmulator): Promise<Emulator> {
  if (plugged !== device) {
    if (plugged) await unplug(plugged);
    await plugIn(device);
    plugged = device;
  }
  console.log(`In front of you: ${device.serialNumber}. ${t.name}`);
  const emulator = await Emulator.start();
  t.after(() => emulator.stop());
  return emulator;
}

const openFiles = () =>
  readdirSync('/proc/self/fd').flatMap(name => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      // The file descriptor was closed after the directory was listed.
      return [];
    }
  });

test('signs what was approved, after every page was compared', LIMIT, async t => {
  const emulator = await begin(t, right);
  const { account, genesis, tx, expect } = payment;
  const [{ signature }] = await Promise.all([
    new Signer(emulator.transport()).signTransaction({
      account,
      genesisHash: Buffer.from(genesis, 'hex'),
      transaction: Buffer.from(tx, 'hex'),
    }),
    emulator.expectReview(expect.review).then(() => emulator.approve()),
  ]);
  assert.equal(Buffer.from(signature).toString('hex'), expect.signature);
  assert.ok(openFiles().some(path => /^\/dev\/hidraw\d+$/.test(path)));
});

test('signs nothing that was rejected', LIMIT, async t => {
  const emulator = await begin(t, right);
  const message = new TextEncoder().encode('Sign in to example.org');
  const rejected = assert.rejects(new Signer(emulator.transport()).signMessage(0, message), {
    code: 'USER_REJECTED',
  });
  await Promise.all([rejected, emulator.reject()]);
});

const confirmAddress = async (emulator: Emulator) => {
  const signer = new Signer(emulator.transport());
  await Promise.all([signer.getPublicKey(0, { confirm: true }), emulator.approve()]);
};

test('fails: a wrong pixel', LIMIT, async t => confirmAddress(await begin(t, faulty)));

test('fails: unplugged in a review', LIMIT, async t => confirmAddress(await begin(t, right)));
