// Runs in the guest: the published packages drive the image of a Pico, simulated outside and attached over
// USB/IP, through a whole flow on a chain.
import assert from 'node:assert/strict';
import { open as openFile, readdir, readFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Signer } from '@zbc-signer/host/node';
import { HOST_ADDRESS } from '../../../testkit/guest/attach.js';
import { open, first as pico, plugIn, pull, runCli, unplug, untilGone } from './plugs.js';

const ADDRESS = 'ZBC_L2HLFDOM_VKKKTEXX_C2P2M6LG_EB6ZNKSV_356SJUWW_5QPVHDE7_EFJA3PEX';
const RECIPIENT = '00000000'.padEnd(72, '7');
const GONE = { code: /^DEVICE_(DISCONNECTED|NOT_FOUND)$/ };
const VERSION_REPORT = Buffer.concat([Buffer.of(0), Buffer.from('123405000000' + '05e003000000', 'hex')], 65);
const gatewayPort = Number(process.argv[3]);

/**
 * Forwards a local port to the gateway, which runs outside the guest and answers only to loopback names.
 */
let forward: Server;
before(() => {
  forward = createServer(socket => {
    const outside = connect(gatewayPort, HOST_ADDRESS);
    for (const end of [socket, outside]) end.on('error', () => undefined);
    socket.pipe(outside).pipe(socket);
  }).listen(gatewayPort, '127.0.0.1');
});
after(() => {
  forward.close();
});

const API = `http://127.0.0.1:${gatewayPort}`;

async function call(path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const init = body && { method: 'POST', body: JSON.stringify(body), headers };
  return (await (await fetch(API + path, init)).json()) as Record<string, unknown>;
}

describe('the image of a Pico', { timeout: 360_000 }, () => {
  before(() => plugIn(pico));
  after(() => unplug(pico));

  test('answers on its hidraw file', async () => {
    const names = (await readdir('/sys/class/hidraw')).sort();
    const reported = await Promise.all(
      names.map(name => readFile(`/sys/class/hidraw/${name}/device/uevent`, 'utf8')),
    );
    const found = names[reported.findIndex(text => /HID_ID=0003:00001209:00000001/.test(text))];
    const file = await openFile(`/dev/${found}`, 'r+');
    try {
      await file.write(VERSION_REPORT);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(64), 0, 64);
      assert.equal(bytesRead, 64);
      assert.equal(buffer.subarray(0, 5).toString('hex'), '1234050000');
    } finally {
      await file.close();
    }
  });

  for (const name of ['hid', 'usb'] as const) {
    test(`over ${name}: gives an address, sends through the gateway, signs a message, and reports a rejection`, async t => {
      const start = performance.now();
      const device = ['--device', name, '--json'];
      const shown = await runCli(['address', ...device]);
      assert.equal(JSON.parse(shown.stdout).address, ADDRESS);

      await call('/faucet', { address: ADDRESS });
      const words = ['send', '--to', RECIPIENT, '--amount', '1.5', '--message', `over ${name}`, '--api', API];
      const sent = runCli([...words, ...device]);
      await pico.until('Network');
      await pico.decide('approve: press both');
      const { code, stdout } = await sent;
      const { transaction_hash: hash, status } = JSON.parse(stdout);
      assert.deepEqual([code, status], [0, 'confirmed'], stdout);
      assert.equal((await call(`/api/v1/transactions/${hash}`)).status, 'confirmed');

      const signed = runCli(['sign-message', `Hello over ${name}`, ...device]);
      await pico.until('Account');
      await pico.decide('approve: press both');
      assert.equal((await signed).code, 0);

      const rejected = runCli([...words, ...device]);
      await pico.until('Network');
      await pico.decide('press both to reject');
      const refusal = await rejected;
      assert.equal(JSON.parse(refusal.stdout).error.code, 'USER_REJECTED');
      t.diagnostic(`over ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    });

    test(`over ${name}: works again after it was unplugged during a review, during an upload and while idle`, async () => {
      const transport = open(name, pico);
      const signer = new Signer(transport);
      const works = async () => assert.equal((await signer.getPublicKey(0)).address, ADDRESS);
      try {
        await works();
        const review = assert.rejects(signer.getPublicKey(0, { confirm: true }), GONE);
        await pico.until('Address');
        await unplug(pico);
        await review;
        await plugIn(pico);
        await works();

        await transport.exchange(Buffer.from('e00700000800000000e8030000', 'hex'));
        const chunk = Buffer.concat([Buffer.from('e0070100ff', 'hex'), Buffer.alloc(255, 'a')]);
        const upload = assert.rejects(transport.exchange(chunk), GONE);
        pull(pico);
        await upload;
        await untilGone(pico);
        await plugIn(pico);
        await works();

        await unplug(pico);
        await assert.rejects(signer.getVersion(), GONE);
        await plugIn(pico);
        await works();
      } finally {
        await transport.close();
      }
    });
  }
});
