import { setTimeout as pause } from 'node:timers/promises';
import { announceWallet, type ConnectWallet, findWallets } from '@zbc-signer/connect';
import { startArchivalNode, startFullNode } from '@zbc-signer/devnet';
import { Emulator, record } from '@zbc-signer/emulator';
import { runChecks } from '@zbc-signer/emulator/conformance';
import { startGateway } from '@zbc-signer/gateway';
import { GatewayClient, SignerSession } from '@zbc-signer/host';
import { ActivityIndex, type Browser, SharedSigner, WebDevices } from '@zbc-signer/web';
import { GET_APP_VERSION } from '../testkit/device/apdu.js';
import { FlowFixture, SENT, sendDraft } from '../testkit/gateway/flow-fixture.js';
import { gatewayConfig } from '../testkit/gateway/gateway-config.js';
import { until } from '../testkit/time/until.js';

/** A callback of any type. It must be called at least once. */
type Callback = (...args: unknown[]) => never;
type Use = (callback: Callback, wasCalled: () => boolean) => Promise<unknown>;

const BROWSER: Browser = {
  fetch,
  openChannel: () => ({ postMessage() {}, addEventListener() {}, close() {} }),
  locks: { request: (_name, _options, hold) => hold({}), query: async () => ({ held: [] }) },
};

async function withEmulator(use: (emulator: Emulator) => unknown): Promise<void> {
  const emulator = await Emulator.start();
  await use(emulator);
  await emulator.stop();
}

/** Uses of every callback that a program may pass to the packages, except journals. */
const USES: Record<string, Use> = {
  'onProgress of a payment': async onProgress => {
    const fixture = await FlowFixture.start();
    expect((await fixture.run(sendDraft(), SENT.timestamp, { onProgress })).blockHeight).toBe(12n);
    await fixture.gateway.stop();
  },
  'SignerSession.subscribe': listener =>
    withEmulator(async emulator => {
      const session = new SignerSession(emulator.transport());
      session.subscribe(listener);
      await session.waitUntilReady();
      await session.close();
    }),
  'SharedSigner.subscribe': listener =>
    withEmulator(async emulator => {
      const open = () => emulator.transport();
      const shared = new SharedSigner({ kind: 'emulator', name: 'E', lockName: 'e', open }, BROWSER);
      const later: string[] = [];
      shared.subscribe(listener);
      shared.subscribe(state => later.push(state));
      expect(await shared.run(signer => signer.getVersion())).toMatchObject({ locked: false });
      await shared.close();
      expect(later).toEqual(['open', 'closed']);
    }),
  'WebDevices.subscribe': async listener => {
    const hid = new EventTarget();
    const devices = new WebDevices({ browser: { ...BROWSER, hid: hid as unknown as Browser['hid'] } });
    const device = { vendorId: 0x1209, productId: 1, collections: [{ usagePage: 0xffa0 }] };
    const stop = devices.subscribe(listener);
    hid.dispatchEvent(Object.assign(new Event('connect'), { device }));
    stop();
  },
  'onProgress of ActivityIndex.follow': async onProgress => {
    const answers = { status: { height: 0 }, blocks: { blocks: [{ height: 0, transactions: [] }] } };
    const gateway = new GatewayClient('http://gateway.test', {
      fetch: async url => Response.json(`${url}`.endsWith('status') ? answers.status : answers.blocks),
    });
    const index = new ActivityIndex(gateway, new Uint8Array(32), [], BROWSER);
    await index.follow(new AbortController().signal, onProgress);
  },
  findWallets: async found => {
    const page = new EventTarget();
    const names = ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const;
    for (const name of names) Reflect.set(globalThis, name, page[name].bind(page));
    const [stop, withdraw] = [findWallets(found), announceWallet({ name: 'W' } as ConnectWallet)];
    withdraw();
    stop();
    for (const name of names) Reflect.deleteProperty(globalThis, name);
  },
  'Emulator.on': listener =>
    withEmulator(async emulator => {
      for (const event of ['input', 'exchange', 'command', 'screen'] as const) emulator.on(event, listener);
      expect((await emulator.exchange(GET_APP_VERSION)).at(-2)).toBe(0x90);
      emulator.press('right');
    }),
  'onStep of record': onStep =>
    withEmulator(async emulator => {
      const { trace } = record(emulator, onStep);
      emulator.press('right');
      emulator.press('left');
      expect(trace.steps).toHaveLength(2);
    }),
  'onResult of runChecks': onResult =>
    withEmulator(async emulator => {
      const groups = [{ name: 'group', checks: [{ name: 'check', run: async () => undefined }] }];
      const signer = { name: 'E', connect: () => emulator.transport() };
      const mnemonic = `${'abandon '.repeat(23)}art`;
      const results = await runChecks(signer as never, groups, { mnemonic, onResult });
      expect(results).toHaveLength(1);
    }),
  'onError of startGateway': async onError => {
    const extend = (app: { get(path: string, handler: () => never): unknown }) =>
      app.get('/gateway/broken', () => {
        throw new Error('a broken route');
      });
    const gateway = await startGateway(gatewayConfig(), { onError, extend });
    expect((await fetch(`${gateway.url}/gateway/broken`)).status).toBe(500);
    await gateway.stop();
  },
  'onError of startFullNode': async (onError, wasCalled) => {
    let isBroken = false;
    const now = () => {
      if (isBroken) throw new Error('a broken clock');
      return Date.now();
    };
    const node = await startFullNode({ onError, now, blockTimeMs: 10 });
    isBroken = true;
    await until(wasCalled);
    await node.stop();
  },
  'onError of startArchivalNode': async (onError, wasCalled) => {
    const node = await startFullNode();
    const archival = await startArchivalNode({ follow: node.url, onError });
    await node.stop();
    await until(wasCalled);
    await archival.stop();
  },
};

const FAILURES: [string, () => unknown][] = [
  [
    'throws',
    () => {
      throw new Error('a bug of the program');
    },
  ],
  ['returns a promise that rejects', () => Promise.reject(new Error('a bug of the program'))],
];

// Jest fails a test during which an error or a rejection is not handled.
afterEach(() => pause(10));

describe.each(Object.entries(USES))('%s', (_name, use) => {
  test.each(FAILURES)('may be a callback that %s', async (_what, fail) => {
    let calls = 0;
    const callback = () => {
      calls += 1;
      return fail() as never;
    };
    await use(callback, () => calls > 0);
    expect(calls).toBeGreaterThan(0);
  });
});

test.each(FAILURES)('a gateway does not start if its extension %s', async (_what, extend) => {
  const started = startGateway(gatewayConfig(), { extend: extend as () => Promise<void> });
  await expect(started).rejects.toThrow('a bug of the program');
});
