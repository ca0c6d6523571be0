// Runs in the guest, against its kernel: two emulators outside are plugged in over USB/IP, and the host
// library drives them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HidTransport, listDevices, Signer, watchDevices } from '@zbc-signer/host/node';
import { attach, detach } from '../../../testkit/guest/attach.js';
import { HOST_ADDRESS } from '../../../testkit/guest/guest.js';
import { RemoteEmulator } from './emulator-remote.js';

const CLI = fileURLToPath(new URL('../../../../cli/bin/zbc-signer.js', import.meta.url));
const VERSION = Uint8Array.of(0xe0, 3, 0, 0, 0);
const GENESIS = 'ab'.repeat(32);
const [first, second] = process.argv.slice(2, 4).map(text => {
  const [api, usbip, serial] = text.split(',') as [string, string, string];
  return new RemoteEmulator(HOST_ADDRESS, Number(api), Number(usbip), serial);
}) as [RemoteEmulator, RemoteEmulator];

const ports = new Map<RemoteEmulator, number>();

async function plugIn(emulator: RemoteEmulator): Promise<void> {
  ports.set(emulator, await attach(HOST_ADDRESS, emulator.usbipPort));
  await until(async () => (await serials()).includes(emulator.serialNumber));
}

async function unplug(emulator: RemoteEmulator): Promise<void> {
  detach(ports.get(emulator)!);
  await until(async () => !(await serials()).includes(emulator.serialNumber));
}

const serials = async () => (await listDevices()).map(({ serialNumber }) => serialNumber);

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries += 1) {
    assert.ok(tries < 500, 'it never came');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

const open = (emulator: RemoteEmulator) => new HidTransport({ serialNumber: emulator.serialNumber });

function runCli(...words: string[]): Promise<{ code: number | null; stdout: string }> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', chunk => {
      stdout += chunk;
    });
    child.on('close', code => resolve({ code, stdout }));
  });
}

describe('on a real kernel', { timeout: 150_000 }, () => {
  let transport: HidTransport;
  let signer: Signer;
  before(async () => {
    await plugIn(first);
    transport = open(first);
    signer = new Signer(transport);
  });
  after(() => transport.close());

  test('lists the device with its serial number, and the command line does', async () => {
    const [device] = await listDevices();
    assert.deepEqual(
      [device?.serialNumber, device?.product, device?.vendorId, device?.productId],
      [first.serialNumber, 'ZBC Signer', 0x1209, 1],
    );
    const { code, stdout } = await runCli('devices', '--json');
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout).devices[0].serial_number, first.serialNumber);
  });

  test('version and address', async () => {
    assert.equal((await signer.getVersion()).firmwareVersion, '1.0.0');
    const { address } = await signer.getPublicKey(0);
    assert.equal(address, 'ZBC_L2HLFDOM_VKKKTEXX_C2P2M6LG_EB6ZNKSV_356SJUWW_5QPVHDE7_EFJA3PEX');
  });

  test('a message is signed when the user approves, and not when the user rejects', async () => {
    const text = new TextEncoder().encode('Sign in to example.org');
    const signed = signer.signMessage(0, text);
    await first.until('Account');
    await first.decide('approve: press both');
    assert.equal((await signed).signature.length, 64);
    const rejected = assert.rejects(signer.signMessage(0, text), { code: 'USER_REJECTED' });
    await first.until('Account');
    await first.decide('press both to reject');
    await rejected;
  });

  test('2 KB and a linked 2 KB arrive whole, at the pace of the endpoint', async () => {
    const header = Buffer.concat([Buffer.alloc(4), Buffer.from(GENESIS, 'hex'), Buffer.alloc(8)]);
    header.writeUInt32LE(2048, 36);
    header.writeUInt32LE(2048, 40);
    const start = performance.now();
    let reply = await transport.exchange(Buffer.concat([Buffer.of(0xe0, 6, 0, 0, header.length), header]));
    for (let at = 0; at < 4096; at += 255) {
      const chunk = Buffer.alloc(Math.min(255, 4096 - at));
      reply = await transport.exchange(Buffer.concat([Buffer.of(0xe0, 6, 1, 0, chunk.length), chunk]));
    }
    const ms = performance.now() - start;
    // Type 0 is refused, but only once every byte has come.
    assert.equal(Buffer.from(reply).toString('hex'), '01' + '0000' + '0d' + 'b102');
    // The header and the last chunk take one report each, 16 chunks of 255 bytes five.
    const reports = 1 + 16 * 5 + 1;
    console.log(
      `upload: ${reports} reports in ${ms.toFixed(0)} ms, ${(reports / ms).toFixed(2)} of the limit`,
    );
  });

  test('1,000 commands in a row', async () => {
    const start = performance.now();
    for (let count = 0; count < 1000; count += 1) {
      assert.equal(
        Buffer.from(await transport.exchange(VERSION))
          .subarray(-2)
          .toString('hex'),
        '9000',
      );
    }
    console.log(`commands: ${((1e6 / (performance.now() - start)) | 0).toString()} a second`);
  });

  test('an abort ends the review on the device', async () => {
    const abort = new AbortController();
    const aborted = assert.rejects(signer.getPublicKey(0, { confirm: true, signal: abort.signal }), {
      code: 'ABORTED',
    });
    await first.until('Address');
    abort.abort();
    await aborted;
    await first.until('is ready');
    assert.equal((await signer.getVersion()).locked, false);
  });

  test('two processes use the device at once, and each gets its own replies', async () => {
    const other = runCli('version', '--json', '--device', 'hid');
    for (let count = 0; count < 20; count += 1) await signer.getPublicKey(count).catch(ignoreLost);
    const { code, stdout } = await other;
    if (code === 0) assert.equal(JSON.parse(stdout).firmware_version, '1.0.0');
    assert.equal((await signer.getVersion()).firmwareVersion, '1.0.0');
  });

  test('two devices are distinguished by serial number', async () => {
    await plugIn(second);
    const other = new Signer(open(second));
    const [one, two] = [await signer.getPublicKey(0), await other.getPublicKey(0)];
    assert.notEqual(one.address, two.address);
    await other.close();
    await unplug(second);
  });

  test('unplugged while idle, during an upload and in a review, and plugged in again', async () => {
    await unplug(first);
    await assert.rejects(signer.getVersion(), { code: /^DEVICE_(DISCONNECTED|NOT_FOUND)$/ });
    await plugIn(first);
    assert.equal((await signer.getVersion()).firmwareVersion, '1.0.0');

    await transport.exchange(Buffer.from('e00700000800000000e8030000', 'hex'));
    await unplug(first);
    await plugIn(first);
    assert.equal((await signer.getVersion()).firmwareVersion, '1.0.0');

    const review = assert.rejects(signer.getPublicKey(0, { confirm: true }), { code: 'DEVICE_DISCONNECTED' });
    await first.until('Address');
    await unplug(first);
    await review;
    await first.until('is ready');
    await plugIn(first);
    assert.equal((await signer.getVersion()).firmwareVersion, '1.0.0');
  });

  test('plugging in and out is seen', async () => {
    const end = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { type } of watchDevices({ signal: end.signal, intervalMs: 50 })) seen.push(type);
    })();
    await until(async () => seen.length === 1);
    await unplug(first);
    await until(async () => seen.length === 2);
    await plugIn(first);
    await until(async () => seen.length === 3);
    end.abort();
    await watching;
    assert.deepEqual(seen, ['connected', 'disconnected', 'connected']);
  });
});

/** The first report of another process's command drops an unfinished one; the host notices. */
function ignoreLost(error: Error & { code?: string }): void {
  if (error.code !== 'REPLY_LOST') throw error;
}
