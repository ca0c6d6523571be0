// Runs in the guest: the host library drives two emulators outside, attached over USB/IP.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { Signer } from '@zbc-signer/host/node';
import { bareRate, bareUploads, rate } from './echo.js';
import { first, open, plugIn, pull, runCli, second, serials, unplug, untilGone } from './plugs.js';

const VERSION = Uint8Array.of(0xe0, 3, 0, 0, 0);
const ADDRESS = 'ZBC_L2HLFDOM_VKKKTEXX_C2P2M6LG_EB6ZNKSV_356SJUWW_5QPVHDE7_EFJA3PEX';
const GONE = { code: /^DEVICE_(DISCONNECTED|NOT_FOUND)$/ };
/**
 * The host stops waiting after a time limit, even if the device is still plugged in. On a busy machine, the limit
 * may pass before the kernel has removed the device.
 */
const LOST = { code: /^(DEVICE_DISCONNECTED|REPLY_LOST)$/ };
const UPLOADS = 15;
const UPLOAD_HEADER = Buffer.concat([Buffer.from('e00600002c00000000', 'hex'), Buffer.alloc(40, 0xab)]);
UPLOAD_HEADER.writeUInt32LE(2048, 41);
UPLOAD_HEADER.writeUInt32LE(2048, 45);
const CHUNK = Buffer.concat([Buffer.from('e0060100ff', 'hex'), Buffer.alloc(255)]);
const LAST_CHUNK = Buffer.concat([Buffer.from('e006010010', 'hex'), Buffer.alloc(16)]);

interface TransactionCase {
  name: string;
  account: number;
  genesis: string;
  tx: string;
  linked: string;
  expect: { signature: string };
}

const vectors: { cases: TransactionCase[] } = JSON.parse(
  readFileSync(new URL('../../../vectors/transactions.json', import.meta.url), 'utf8'),
);
const approval = vectors.cases.find(({ name }) => name === 'escrow approve, linked message, own message')!;
/** Waits for a text on the screen. A command that fails meanwhile ends the wait, and so the test. */
const shown = (text: string, command: Promise<unknown>) => Promise.race([first.until(text), command]);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

for (const name of ['hid', 'usb'] as const) {
  describe(`over ${name}`, { timeout: 300_000 }, () => {
    let transport: ReturnType<typeof open>;
    let signer: Signer;
    before(async () => {
      await plugIn(first);
      transport = open(name, first);
      signer = new Signer(transport);
    });
    after(async () => {
      await transport.close();
      await unplug(first);
    });

    const works = async () => assert.equal((await signer.getVersion()).firmwareVersion, '1.0.0');

    test('the device gives its version and address', async () => {
      await works();
      assert.equal((await signer.getPublicKey(0)).address, ADDRESS);
    });

    test('a message is signed when the user approves, and not when the user rejects', async () => {
      const text = new TextEncoder().encode('Sign in to example.org');
      const signed = signer.signMessage(0, text);
      await shown('Account', signed);
      await first.decide('approve: press both');
      assert.equal((await signed).signature.length, 64);
      const rejected = assert.rejects(signer.signMessage(0, text), { code: 'USER_REJECTED' });
      await shown('Account', rejected);
      await first.decide('press both to reject');
      await rejected;
    });

    test('an escrow approval with its linked transaction is signed', async () => {
      const { account, genesis, tx, linked, expect } = approval;
      const signed = signer.signTransaction({
        account,
        genesisHash: Buffer.from(genesis, 'hex'),
        transaction: Buffer.from(tx, 'hex'),
        linked: Buffer.from(linked, 'hex'),
      });
      await shown('Network', signed);
      await first.decide('approve: press both');
      assert.equal(hex((await signed).signature), expect.signature);
    });

    test('1,000 commands in a row are answered', async t => {
      const exchange = async () => assert.equal(hex(await transport.exchange(VERSION)).slice(-4), '9000');
      await rate(500, exchange);
      const warm = await rate(500, exchange);
      await transport.close();
      const bare = await bareRate(name, first.serialNumber);
      const [own, other, ratio] = [warm.toFixed(0), bare.toFixed(0), (warm / bare).toFixed(2)];
      t.diagnostic(`round trips over ${name}: ${own} a second, of a bare echo ${other}: ${ratio}`);
    });

    test('a transaction of 2 KB with a linked one of 2 KB arrives whole, at the speed of the endpoint', async t => {
      const ratios: number[] = [];
      for (let count = 0; count < UPLOADS; count += 1) ratios.push(await upload(sendChecked));
      await transport.close();
      const bare = await bareUploads(name, first.serialNumber, upload, UPLOADS);
      t.diagnostic(`upload over ${name}, of 1 report a millisecond: ${summary(ratios)}`);
      t.diagnostic(`the same reports with the package alone: ${summary(bare)}`);
    });

    /** Type 0 is refused only after every byte has arrived. */
    async function sendChecked(apdu: Buffer): Promise<void> {
      const reply = hex(await transport.exchange(apdu));
      assert.equal(reply, apdu === LAST_CHUNK ? '01' + '0000' + '0d' + 'b102' : '9000');
    }

    test('an abort ends the review on the device', async () => {
      const abort = new AbortController();
      const aborted = assert.rejects(signer.getPublicKey(0, { confirm: true, signal: abort.signal }), {
        code: 'ABORTED',
      });
      await shown('Address', aborted);
      abort.abort();
      await aborted;
      await first.until('is ready');
      await works();
    });

    test(
      name === 'hid'
        ? 'two processes each get their own replies'
        : 'a second process is told that the device is in use',
      async () => {
        await works();
        const other = runCli(['version', '--json', '--device', name]);
        for (let count = 0; count < 20; count += 1) {
          const { address } = await signer.getPublicKey(0).catch(ignoreLost);
          if (address !== undefined) assert.equal(address, ADDRESS);
        }
        const { code, stdout } = await other;
        if (name === 'usb') assert.equal(JSON.parse(stdout).error.code, 'DEVICE_HELD');
        else if (code === 0) assert.equal(JSON.parse(stdout).firmware_version, '1.0.0');
        else assert.equal(JSON.parse(stdout).error.code, 'REPLY_LOST');
        await works();
      },
    );

    test('two devices are distinguished by serial number', async () => {
      await plugIn(second);
      const other = new Signer(open(name, second));
      assert.equal((await signer.getPublicKey(0)).address, ADDRESS);
      assert.notEqual((await other.getPublicKey(0)).address, ADDRESS);
      await other.close();
      await unplug(second);
    });

    test('the device works again after it was unplugged while idle', async () => {
      await unplug(first);
      await assert.rejects(signer.getVersion(), GONE);
      await plugIn(first);
      await works();
    });

    test('the device works again after it was unplugged during an upload', async () => {
      await transport.exchange(Buffer.from('e00700000800000000e8030000', 'hex'));
      const chunk = assert.rejects(
        transport.exchange(Buffer.concat([Buffer.from('e0070100ff', 'hex'), Buffer.alloc(255, 'a')])),
        GONE,
      );
      pull(first);
      await chunk;
      await untilGone(first);
      await plugIn(first);
      await works();
    });

    test('the device works again after it was unplugged during a review', async () => {
      const review = assert.rejects(signer.getPublicKey(0, { confirm: true }), LOST);
      await shown('Address', review);
      await Promise.all([unplug(first), review]);
      await first.until('is ready');
      await plugIn(first);
      await works();
    });

    test('the device works again after it was unplugged between two reports of a reply', async () => {
      const firstReport = await first.holdReply();
      const reply = assert.rejects(signer.getPublicKey(0, { confirm: true }), LOST);
      await shown('Address', reply);
      await first.decide('approve: press both');
      await firstReport();
      await Promise.all([unplug(first), reply]);
      await plugIn(first);
      await works();
    });

    test('the error for a missing device lists the connected devices', async () => {
      const missing = new Signer(open(name, second));
      await assert.rejects(missing.getVersion(), {
        code: 'DEVICE_NOT_FOUND',
        hint: `Connected: ${first.serialNumber}.`,
      });
      assert.deepEqual(await serials(name), [first.serialNumber]);
    });
  });
}

/** Header and last chunk take one report each, 16 chunks five each; returns reports per millisecond. */
async function upload(exchange: (apdu: Buffer) => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await exchange(UPLOAD_HEADER);
  for (let chunks = 0; chunks < 16; chunks += 1) await exchange(CHUNK);
  await exchange(LAST_CHUNK);
  return (1 + 16 * 5 + 1) / (performance.now() - start);
}

function summary(ratios: number[]): string {
  const [cold = 0] = ratios;
  const sorted = ratios.toSorted((a, b) => a - b).map(ratio => ratio.toFixed(2));
  return `median ${sorted[sorted.length >> 1]}, best ${sorted.at(-1)}, first ${cold.toFixed(2)}`;
}

/** The first report of another process's command drops an unfinished command. The host of that command notices. */
function ignoreLost(error: Error & { code?: string }): { address?: string } {
  if (error.code !== 'REPLY_LOST') throw error;
  return {};
}
