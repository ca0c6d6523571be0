import { createContext, runInContext } from 'node:vm';
import { Emulator } from '@zbc-signer/emulator';
import { HidCable } from '@zbc-signer/emulator/playwright';
import { Signer } from '@zbc-signer/host';
import { type Browser, type BrowserHid, WebDevices } from '@zbc-signer/web';
import { accounts } from '../../../testkit/repository/vectors.js';

let emulator: Emulator;
let cable: HidCable;
let pages: FakePage[];

/** A page of the context: what its scripts see, and its wallet. */
class FakePage {
  readonly navigator: { userActivation: { isActive: boolean }; hid?: BrowserHid };
  readonly wallet: WebDevices;
  readonly #globals: object;

  constructor(script: string, bindings: object, stored: Map<string, string>) {
    this.navigator = { userActivation: { isActive: true } };
    const localStorage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const { navigator } = this;
    this.#globals = createContext({ navigator, localStorage, ...bindings, EventTarget, Event, DOMException });
    runInContext(script, this.#globals);
    const browser = { hid: navigator.hid, fetch, openChannel: () => undefined };
    this.wallet = new WebDevices({ browser: browser as unknown as Browser });
  }

  frames() {
    return [{ evaluate: async (code: string) => runInContext(code, this.#globals) as unknown }];
  }
}

let openPage: () => FakePage;

beforeEach(async () => {
  emulator = await Emulator.start();
  pages = [];
  let script = '';
  const bindings: Record<string, unknown> = {};
  cable = await HidCable.connect(
    {
      pages: () => pages,
      async exposeBinding(name, callback) {
        bindings[name] = async (report?: ArrayLike<number>) =>
          callback(undefined, report && Array.from(report));
      },
      addInitScript: async code => void (script = code),
    },
    emulator,
  );
  const stored = new Map<string, string>();
  openPage = () => {
    const page = new FakePage(script, bindings, stored);
    pages.push(page);
    return page;
  };
});

test('the device is offered after a click only, to a page that asks for it, and then to every page', async () => {
  const page = openPage();
  expect(await page.wallet.list()).toEqual([]);
  page.navigator.userActivation.isActive = false;
  await expect(page.wallet.request('hid')).rejects.toThrow('no user gesture');
  page.navigator.userActivation.isActive = true;
  expect(await page.navigator.hid!.requestDevice({ filters: [{ vendorId: 0x2c97 }] })).toEqual([]);
  const device = await page.wallet.request('hid');
  const { address } = await new Signer(device!.open()).getPublicKey(0);
  expect(address).toBe(accounts.cases[0]!.address);
  expect(await openPage().wallet.list()).toHaveLength(1);
  await emulator.stop();
});

test('a page loses its device when it is unplugged during a review, and opens it after it was plugged in', async () => {
  const page = openPage();
  const signer = new Signer((await page.wallet.request('hid'))!.open());
  const lost = expect(signer.getPublicKey(0, { confirm: true })).rejects.toMatchObject({
    code: 'DEVICE_DISCONNECTED',
  });
  await emulator.waitForReview();
  // The reply of this decision never reaches the page.
  await cable.unplug(() => emulator.approve());
  await lost;
  expect(await page.wallet.list()).toEqual([]);
  await cable.plug();
  const again = new Signer((await page.wallet.list())[0]!.open());
  const [{ address }] = await Promise.all([again.getPublicKey(0, { confirm: true }), emulator.approve()]);
  expect(address).toBe(accounts.cases[0]!.address);
  again.getPublicKey(0, { confirm: true }).catch(() => undefined);
  await emulator.waitForReview();
  await cable.unplug();
  expect(emulator.reviewing).toBe(false);
  await emulator.stop();
});

test('a page loses its device when the emulator stops', async () => {
  const page = openPage();
  await page.wallet.request('hid');
  const gone: unknown[] = [];
  page.navigator.hid!.addEventListener('disconnect', event => gone.push(event));
  await emulator.stop();
  expect([await page.wallet.list(), gone.length]).toEqual([[], 1]);
});

test('a review that a page left open is reported when the emulator is stopped', async () => {
  const signer = new Signer((await openPage().wallet.request('hid'))!.open());
  signer.signMessage(0, new TextEncoder().encode('hello')).catch(() => undefined);
  await emulator.waitForReview();
  await expect(emulator.stop()).rejects.toMatchObject({
    code: 'STILL_PENDING',
    message: expect.stringMatching(/a command of a client \(APDU e007/),
  });
  await signer.close();
});
