import { jest } from '@jest/globals';
import { type DeviceWatchOptions, listDevices, watchDevices } from '@zbc-signer/host/node';
import type { HidDeviceInfo } from '#host/device/transport/usb/hid-device.js';

const signer = (path: string, serialNumber = path): HidDeviceInfo => ({
  path,
  serialNumber,
  product: '',
  interface: 0,
  usagePage: 0xffa0,
});

let listed: HidDeviceInfo[];
let asked: number;
const system = {
  list: async () => {
    asked += 1;
    return listed;
  },
  open: () => Promise.reject(new Error('not opened here')),
};
beforeEach(() => {
  listed = [];
  asked = 0;
});

test('lists only signers, with undefined for properties that this user may not read', async () => {
  listed = [{ path: 'keyboard', interface: 1, usagePage: 1 }, signer('one', ''), signer('two')];
  expect(await listDevices({ system })).toEqual([
    { path: 'one', serialNumber: undefined, product: undefined, vendorId: 0x1209, productId: 1 },
    { path: 'two', serialNumber: 'two', product: undefined, vendorId: 0x1209, productId: 1 },
  ]);
});

test('lists signers with their paths for the transport usb', async () => {
  const handle = {
    vendorId: 0x1209,
    productId: 1,
    serialNumber: 'A',
    productName: 'S',
    bus: '001',
    ports: [2, 3],
  };
  const usbSystem = { list: async () => [handle, { ...handle, vendorId: 0x1234 }] as never };
  expect(await listDevices({ transport: 'usb', usbSystem })).toEqual([
    { path: '001-2.3', serialNumber: 'A', product: 'S', vendorId: 0x1209, productId: 1 },
  ]);
});

/** Returns the first `count` events. */
async function watched(count: number, options: DeviceWatchOptions, between: () => void): Promise<string[]> {
  const end = new AbortController();
  const seen: string[] = [];
  for await (const { type, device } of watchDevices({ ...options, system, signal: end.signal })) {
    seen.push(`${type} ${device.serialNumber}`);
    if (seen.length === count) end.abort();
    else between();
  }
  return seen;
}

test('polls if the system announces no changes', async () => {
  listed = [signer('one')];
  const seen = await watched(3, { intervalMs: 1 }, () => {
    listed = listed.length === 1 ? [] : [signer('two')];
  });
  expect(seen).toEqual(['connected one', 'disconnected one', 'connected two']);
});

test('reports that another device took the path', async () => {
  listed = [signer('path', 'one')];
  const seen = await watched(3, { intervalMs: 1 }, () => {
    listed = [signer('path', 'two')];
  });
  expect(seen).toEqual(['connected one', 'disconnected one', 'connected two']);
});

test('lists again only at an announcement and shortly after it', async () => {
  let announce: () => void = () => undefined;
  let ended = false;
  const hotplug = (onChange: () => void) => {
    announce = onChange;
    return () => {
      ended = true;
    };
  };
  listed = [signer('one')];
  const seen = await watched(2, { hotplug, intervalMs: 1 }, () => {
    setTimeout(() => {
      expect(asked).toBe(1);
      announce();
      setTimeout(() => {
        listed = [];
      }, 20);
    }, 20);
  });
  expect(seen).toEqual(['connected one', 'disconnected one']);
  expect(ended).toBe(true);
});

test('lists once more after an announcement, even if a listing took longer than devices need to settle', async () => {
  const now = performance.now.bind(performance);
  let heldUpMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + heldUpMs);
  let announce: () => void = () => undefined;
  const hotplug = (onChange: () => void) => {
    announce = onChange;
    return () => undefined;
  };
  listed = [signer('one')];
  const heldUp = {
    ...system,
    list: async () => {
      const found = await system.list();
      if (asked === 2) [listed, heldUpMs] = [[], 60_000];
      return found;
    },
  };
  const end = new AbortController();
  const seen: string[] = [];
  for await (const { type } of watchDevices({ hotplug, system: heldUp, signal: end.signal })) {
    seen.push(type);
    if (seen.length === 2) end.abort();
    else setTimeout(announce);
  }
  clock.mockRestore();
  expect(seen).toEqual(['connected', 'disconnected']);
});
