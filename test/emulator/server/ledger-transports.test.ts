import { createRequire } from 'node:module';
import type Base from '@ledgerhq/hw-transport';
import type TcpTransportClass from '@ledgerhq/hw-transport-node-speculos';
import type HttpTransportClass from '@ledgerhq/hw-transport-node-speculos-http';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { Signer, type Transport } from '@zbc-signer/host';
import { CONFIRMED_HEX } from '../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../testkit/device/device-host.js';
import { accountCases } from '../../../testkit/repository/vectors.js';

// Both packages are CommonJS for Node.
const load = createRequire(import.meta.url);
const HttpTransport: typeof HttpTransportClass.default = load(
  '@ledgerhq/hw-transport-node-speculos-http',
).default;
const TcpTransport: typeof TcpTransportClass.default = load('@ledgerhq/hw-transport-node-speculos').default;

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const ACCOUNT_0 = Buffer.alloc(4);

/**
 * This compiles only if Ledger's base class is assignable to Transport, and with it each of Ledger's
 * transports.
 */
const asTransport: (ledger: Base.default) => Transport = ledger => ledger;

/** Sends a command of the host library over one of Ledger's transports, and closes it. */
async function expectSigner(transport: Base.default): Promise<void> {
  const signer = new Signer(asTransport(transport));
  expect((await signer.getPublicKey(0)).address).toBe(accountCases[0]!.address);
  await signer.close();
}

describe("Ledger's hw-transport-node-speculos-http", () => {
  const open = () => HttpTransport.open({ baseURL: 'http://127.0.0.1', apiPort: new URL(server.api).port });

  test('confirms an address with its own buttons and events', async () => {
    const transport = await open();
    const seen: string[] = [];
    transport.automationEvents.subscribe(event => seen.push(String(event.text)));
    const reply = transport.send(0xe0, 5, 1, 0, ACCOUNT_0);
    await server.emulator.waitForReview();
    for (let presses = 0; presses < 20 && !seen.includes('Approve'); presses++) await transport.button('Rr');
    await transport.button('LRlr');
    expect((await reply).toString('hex')).toBe(CONFIRMED_HEX);
    expect(seen).toEqual(
      expect.arrayContaining(['Approve', 'approve: press both', 'ZBC Signer', 'is ready']),
    );
    await transport.close();
  });

  test('throws the status word when the user rejects', async () => {
    const transport = await open();
    const reply = transport.send(0xe0, 5, 1, 0, ACCOUNT_0);
    const refused = expect(reply).rejects.toMatchObject({ statusCode: 0x6985 });
    await server.emulator.reject();
    await refused;
    await expectSigner(transport);
  });
});

describe("Ledger's hw-transport-node-speculos", () => {
  test('confirms an address', async () => {
    const transport = await TcpTransport.open({ apduPort: server.apduPort });
    const reply = transport.send(0xe0, 5, 1, 0, ACCOUNT_0);
    await server.emulator.approve();
    expect((await reply).toString('hex')).toBe(CONFIRMED_HEX);
    await expect(transport.send(0xe0, 0xff, 0, 0)).rejects.toMatchObject({ statusCode: 0x6d00 });
    await expectSigner(transport);
  });
});
