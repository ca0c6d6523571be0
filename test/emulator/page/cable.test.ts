import { setTimeout as pause } from 'node:timers/promises';
import { Emulator } from '@zbc-signer/emulator';
import { Signer } from '@zbc-signer/host';
import { type Browser, type BrowserHid, WebDevices } from '@zbc-signer/web';
import { joinSigner, plugSigner } from '#emulator/page/cable.js';
import { accounts } from '../../../testkit/repository/vectors.js';

/** Joins the pages of an origin, which here are one. Node's own would keep the process alive. */
class Channel {
  static all: Channel[] = [];
  onmessage: ((event: { data: unknown }) => void) | undefined;

  constructor() {
    Channel.all.push(this);
  }

  postMessage(message: unknown): void {
    for (const other of Channel.all.filter(each => each !== this)) {
      const data: unknown = structuredClone(message);
      setImmediate(() => other.onmessage?.({ data }));
    }
  }
}

let emulator: Emulator;
let leave: () => void;
let stored: Map<string, string>;
let navigator: { userActivation: { isActive: boolean }; hid?: BrowserHid };
const globals = ['BroadcastChannel', 'addEventListener', 'navigator', 'localStorage'] as const;
const before = globals.map(name => Object.getOwnPropertyDescriptor(globalThis, name));
beforeEach(async () => {
  emulator = await Emulator.start();
  Channel.all = [];
  navigator = { userActivation: { isActive: true } };
  stored = new Map();
  const values = {
    BroadcastChannel: Channel,
    addEventListener: (_name: string, listener: () => void) => {
      leave = listener;
    },
    navigator,
    localStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    },
  };
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
});
afterEach(async () => {
  for (const [at, name] of globals.entries()) {
    if (before[at]) Object.defineProperty(globalThis, name, before[at]);
    else Reflect.deleteProperty(globalThis, name);
  }
  await emulator.stop();
});

/** The devices of a page that has joined the signer. */
function openWallet(): WebDevices {
  joinSigner();
  const browser = { hid: navigator.hid, fetch, openChannel: () => undefined };
  return new WebDevices({ browser: browser as unknown as Browser });
}

/** Counts the events of this type. */
function count(type: 'connect' | 'disconnect'): { events: number } {
  const counted = { events: 0 };
  navigator.hid!.addEventListener(type, () => {
    counted.events += 1;
  });
  return counted;
}

test('a signer of another tab is chosen with a click, and answers', async () => {
  plugSigner(emulator);
  const wallet = openWallet();
  const connected = count('connect');
  const device = await wallet.request('hid');
  expect((await new Signer(device!.open()).getPublicKey(0)).address).toBe(accounts.cases[0]!.address);
  expect([(await wallet.list()).length, connected.events]).toEqual([1, 0]);
  const again = openWallet();
  const announced = count('connect');
  expect([(await again.list()).length, announced.events]).toEqual([1, 0]);
});

test('a page without a signer has no device, and learns of one that comes', async () => {
  const wallet = openWallet();
  stored.set('zbc-signer emulated HID', 'yes');
  expect(await wallet.list()).toEqual([]);
  const connected = count('connect');
  plugSigner(emulator);
  await pause(5);
  expect([(await wallet.list()).length, connected.events]).toEqual([1, 1]);
});

test.each(['the returned function', 'leaving its page'])(
  '%s unplugs the signer, and its review ends',
  async way => {
    const unplug = plugSigner(emulator);
    const wallet = openWallet();
    const signer = new Signer((await wallet.request('hid'))!.open());
    const lost = expect(signer.getPublicKey(0, { confirm: true })).rejects.toMatchObject({
      code: 'DEVICE_DISCONNECTED',
    });
    await emulator.waitForReview();
    const gone = count('disconnect');
    if (way === 'leaving its page') leave();
    else unplug();
    await lost;
    expect([emulator.reviewing, gone.events, await wallet.list()]).toEqual([false, 1, []]);
    // A page that opens later must not find it either.
    expect(await openWallet().request('hid')).toBeUndefined();
  },
);
