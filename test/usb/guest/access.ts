// Runs in the guest: tests with udevd who may open the device, and which events announce it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { watchDevices } from '@zbc-signer/host/node';
import { first, plugIn, runCli, unplug, until } from './plugs.js';

const TRANSPORTS = ['hid', 'usb'] as const;
/** Debian's user nobody, in the group plugdev if `hasGroup`. */
const user = (hasGroup: boolean) => ({
  uid: 65534,
  gid: hasGroup ? Number(/^plugdev:.*?:(\d+)/m.exec(readFileSync('/etc/group', 'utf8'))![1]) : 65534,
});

describe('access with udevd', { timeout: 300_000 }, () => {
  before(() => plugIn(first));
  after(() => unplug(first));

  test('lists the device with its serial number, and warns of the test id', async () => {
    for (const transport of TRANSPORTS) {
      const { code, stdout } = await runCli(['devices', '--json', '--transport', transport]);
      const [device] = JSON.parse(stdout).devices;
      assert.deepEqual(
        [code, device.serial_number, device.product, device.usb_id],
        [0, first.serialNumber, 'ZBC Signer', '1209:0001'],
      );
    }
  });

  test('an ordinary user sees that the rules are missing, and how to install them', async () => {
    for (const transport of TRANSPORTS) {
      const { code, stdout } = await runCli(['version', '--json', '--device', transport], user(true));
      const { error } = JSON.parse(stdout);
      assert.deepEqual([transport, code, error.code], [transport, 3, 'DEVICE_NOT_ACCESSIBLE']);
      assert.match(error.hint, /udev-rules --install/);
    }
  });

  test('the installed rules let the group plugdev open the device, and nobody else', async () => {
    assert.equal((await runCli(['udev-rules', '--install'])).code, 0);
    await unplug(first);
    await plugIn(first);
    for (const transport of TRANSPORTS) {
      const device = `${transport}:${first.serialNumber}`;
      const run = () => runCli(['version', '--json', '--device', device], user(true));
      let { code, stdout } = await run();
      // udevd applies the rules shortly after the device appears.
      for (let tries = 0; code !== 0 && tries < 20; tries += 1) ({ code, stdout } = await run());
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).firmware_version, '1.0.0');
    }
    assert.equal((await runCli(['version', '--json', '--device', 'hid'], user(false))).code, 3);
  });

  test('udevd reports when a device is plugged in or unplugged', async () => {
    for (const transport of TRANSPORTS) {
      const end = new AbortController();
      const seen: string[] = [];
      const watching = (async () => {
        // With polling, no change would be seen for an hour.
        const options = { transport, signal: end.signal, intervalMs: 3_600_000 };
        for await (const { type } of watchDevices(options)) seen.push(type);
      })();
      await until(() => seen.length === 1);
      await unplug(first);
      await until(() => seen.length === 2);
      await plugIn(first);
      await until(() => seen.length === 3);
      end.abort();
      await watching;
      assert.deepEqual(seen, ['connected', 'disconnected', 'connected']);
    }
  });
});
