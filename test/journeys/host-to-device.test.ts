import { once } from 'node:events';
import { createRequire } from 'node:module';
import type * as SpeculosTcp from '@ledgerhq/hw-transport-node-speculos';
import type * as SpeculosHttp from '@ledgerhq/hw-transport-node-speculos-http';
import { fromHex, toHex } from '@zbc-signer/chain';
import type { EmulatorServer } from '@zbc-signer/emulator';
import {
  HttpTransport,
  Signer,
  type SignTransactionRequest,
  TcpTransport,
  type Transport,
} from '@zbc-signer/host/node';
import { startServer } from '../../testkit/device/device-host.js';
import { accounts, refusals, type TransactionCase, transactions } from '../../testkit/repository/vectors.js';

// Ledger's ESM builds import files without extensions, which Node refuses.
const require = createRequire(import.meta.url);
const ledgerTcp: typeof SpeculosTcp.default = require('@ledgerhq/hw-transport-node-speculos');
const ledgerHttp: typeof SpeculosHttp.default = require('@ledgerhq/hw-transport-node-speculos-http');

let server: EmulatorServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const ROADS: [name: string, open: () => Transport | Promise<Transport>][] = [
  ['in the same process', () => server.emulator.transport()],
  ['over TCP', () => new TcpTransport({ port: server.apduPort })],
  ['over HTTP', () => new HttpTransport(server.api)],
  ["over Ledger's TCP transport", () => ledgerTcp.default.open({ apduPort: server.apduPort })],
  [
    "over Ledger's HTTP transport",
    () => ledgerHttp.default.open({ baseURL: 'http://127.0.0.1', apiPort: new URL(server.api).port }),
  ],
];
const OWN_ROADS = ROADS.slice(0, 3);

const named = (name: string) => transactions.cases.find(vector => vector.name === name)!;

function requestOf(vector: Omit<TransactionCase, 'expect'>): SignTransactionRequest {
  return {
    account: vector.account,
    genesisHash: fromHex(vector.genesis),
    transaction: fromHex(vector.tx),
    linked: fromHex(vector.linked ?? ''),
    token: vector.token,
  };
}

describe.each(ROADS)('a signer %s', (_name, open) => {
  let signer: Signer;
  beforeEach(async () => {
    signer = new Signer(await open());
  });
  afterEach(() => signer.close());

  test('reports its name, its version and its address', async () => {
    expect(await signer.getAppName()).toEqual({ name: 'ZBC Signer', version: '1.0.0' });
    expect(await signer.getVersion()).toMatchObject({ firmwareVersion: '1.0.0', supportedTypes: [1, 4, 11] });
    expect((await signer.getPublicKey(1)).address).toBe(accounts.cases[1]?.address);
  });

  test.each(['send, 256-byte message', 'token, host reports decimals and symbol', 'escrow approve, token'])(
    'signs what the user approves: %s',
    async name => {
      const vector = named(name);
      const signing = signer.signTransaction(requestOf(vector));
      await server.emulator.approve();
      const { signature, transactionHash } = await signing;
      expect([toHex(signature), toHex(transactionHash)]).toEqual([
        vector.expect.signature,
        vector.expect.tx_hash,
      ]);
    },
  );

  test('reports that the user rejected the transaction', async () => {
    const signing = signer.signTransaction(requestOf(transactions.cases[0]!));
    await Promise.all([
      expect(signing).rejects.toMatchObject({ code: 'USER_REJECTED' }),
      server.emulator.reject(),
    ]);
  });
});

describe.each(OWN_ROADS)('an abort %s', (_name, open) => {
  test('sends the device back to its menu, and the next call is answered', async () => {
    const signer = new Signer(await open());
    const abort = new AbortController();
    const signing = signer.signTransaction(requestOf(transactions.cases[0]!), { signal: abort.signal });
    await server.emulator.waitForReview();
    const menu = once(server.emulator, 'screen');
    abort.abort();
    await expect(signing).rejects.toMatchObject({ code: 'ABORTED' });
    await menu;
    expect(server.emulator.texts()).toEqual(['ZBC Signer', 'is ready']);
    expect((await signer.getPublicKey(0)).address).toBe(accounts.cases[0]?.address);
    await signer.close();
  });
});

describe('a transaction that the device refuses', () => {
  test.each([
    ['2049 bytes', 2049, 2048],
    ['message 257', 257, 256],
    ['escrow instruction 513', 513, 512],
  ])('for its size is reported with the size and the limit: %s', async (name, actualBytes, allowedBytes) => {
    const vector = refusals.cases.find(refusal => refusal.name === name)!;
    const failure = new Signer(server.emulator.transport()).signTransaction(requestOf(vector));
    await expect(failure).rejects.toMatchObject({ code: 'TOO_LARGE', facts: { actualBytes, allowedBytes } });
  });
});
