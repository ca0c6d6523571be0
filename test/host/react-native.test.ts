import { decodeAddress, fromHex, parseCoins, verify } from '@zbc-signer/chain';
import { type Devnet, startDevnet } from '@zbc-signer/devnet';
import { type Emulator, type EmulatorServer, startEmulatorServer } from '@zbc-signer/emulator';
import { awaitHeight, GatewayClient, type ReviewItem, type Signer } from '@zbc-signer/host';
import { bundle, ReactNativeApp } from '../../testkit/react-native/runtime.js';
import { readText } from '../../testkit/repository/repository.js';
import { accounts } from '../../testkit/repository/vectors.js';
import { until } from '../../testkit/time/until.js';

/** The programs of docs/REACT-NATIVE.md. */
const [PAYING = '', OVER_USB = ''] = [
  ...readText('docs/REACT-NATIVE.md').matchAll(/```javascript\n([\s\S]*?)```/g),
].map(([, source]) => source);

interface Paying {
  openSigner(address: { host: string; port: number }): Signer;
  pay(
    signer: Signer,
    url: string,
    payment: { to: string; amount: string },
    show: (items: ReviewItem[]) => void,
  ): Promise<string>;
}
interface OverUsb {
  openUsbSigner(usb: object): Signer;
}

const [FIRST, SECOND] = accounts.cases.map(({ address }) => address) as [string, string];

let devnet: Devnet;
let server: EmulatorServer;
let emulator: Emulator;

beforeAll(async () => {
  devnet = await startDevnet({ blockTimeMs: 200 });
  const gateway = new GatewayClient(devnet.url);
  await awaitHeight(gateway, (await gateway.faucet(FIRST)).blockHeight);
});
afterAll(() => devnet?.stop());
beforeEach(async () => {
  server = await startEmulatorServer({ apiPort: 0, apduPort: 'auto', ledgerPort: 0 });
  emulator = server.emulator;
});
afterEach(() => server.close());

describe('the example of docs/REACT-NATIVE.md, with the globals of React Native', () => {
  let app: ReactNativeApp<Paying>;
  let signer: Signer;

  beforeEach(async () => {
    app = new ReactNativeApp(await bundle(PAYING));
    signer = app.program.openSigner({ host: '127.0.0.1', port: server.apduPort });
  });
  afterEach(() => signer.close());

  /** Returns the balance of the payee. */
  async function balance(): Promise<bigint> {
    return (await new GatewayClient(devnet.url).account(SECOND))?.balance ?? 0n;
  }

  test('shows an address, and pays what the device shows', async () => {
    expect((await signer.getPublicKey(0)).address).toBe(FIRST);
    const before = await balance();
    let items: ReviewItem[] = [];
    const paying = app.program.pay(signer, devnet.url, { to: SECOND, amount: '1.5' }, shown => {
      items = shown;
    });
    expect(await emulator.review()).toEqual(structuredClone(items));
    await emulator.approve();
    expect(await paying).toMatch(/^Paid in block \d+: [0-9a-f]{64}$/);
    expect((await balance()) - before).toBe(parseCoins('1.5'));
  });

  test('pays nothing if the connection is lost during the review, and pays in the next call', async () => {
    const before = await balance();
    const paying = app.program.pay(signer, devnet.url, { to: SECOND, amount: '2' }, () => undefined);
    await emulator.waitForReview();
    app.sockets.lose();
    expect(await paying).toMatch(
      /^Nothing was paid: the connection to 127\.0\.0\.1:\d+ closed before the reply$/,
    );
    await until(() => emulator.texts().includes('is ready'));
    const again = app.program.pay(signer, devnet.url, { to: SECOND, amount: '2' }, () => undefined);
    await emulator.review();
    await emulator.approve();
    expect(await again).toMatch(/^Paid in block/);
    expect((await balance()) - before).toBe(parseCoins('2'));
  });

  test('names a gateway that cannot be reached before the device shows a review', async () => {
    const said = await app.program.pay(
      signer,
      'http://127.0.0.1:9',
      { to: SECOND, amount: '1' },
      () => undefined,
    );
    expect(said).toMatch(/^Nothing was paid: .*127\.0\.0\.1:9/);
  });
});

describe('the example for USB, with the globals of React Native', () => {
  /** A native module that passes on the emulator's reports. */
  class Usb {
    readonly #reports: Uint8Array[] = [];
    #deliver: ((report: Uint8Array) => void) | undefined;
    #lose: ((cause: Error) => void) | undefined;

    async open(): Promise<void> {}

    async transferOut(report: Uint8Array): Promise<void> {
      emulator.report(report, reply => {
        if (this.#deliver === undefined) this.#reports.push(reply);
        else this.#deliver(reply);
        this.#deliver = undefined;
      });
    }

    transferIn(): Promise<Uint8Array> {
      const [report] = this.#reports.splice(0, 1);
      if (report !== undefined) return Promise.resolve(report);
      return new Promise((resolve, reject) => {
        this.#deliver = resolve;
        this.#lose = reject;
      });
    }

    async close(): Promise<void> {
      this.unplug();
    }

    unplug(): void {
      this.#lose?.(new Error('No such device'));
    }
  }

  let usb: Usb;
  let signer: Signer;

  beforeEach(async () => {
    usb = new Usb();
    signer = new ReactNativeApp<OverUsb>(await bundle(OVER_USB)).program.openUsbSigner(usb);
  });
  afterEach(() => signer.close());

  test('signs a message', async () => {
    const message = new TextEncoder().encode('Hello from React Native');
    const signing = signer.signMessage(0, message);
    await emulator.review();
    await emulator.approve();
    const { signature } = await signing;
    expect(verify(signature, message, decodeAddress(FIRST))).toBe(true);
  });

  test('reports that the signer was unplugged during a review', async () => {
    const signing = signer.signMessage(0, fromHex('48656c6c6f'));
    await emulator.waitForReview();
    usb.unplug();
    await expect(signing).rejects.toMatchObject({ code: 'DEVICE_DISCONNECTED' });
  });
});
