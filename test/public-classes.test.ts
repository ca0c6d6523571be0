import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { TEST_MNEMONIC, WireReader, WireWriter } from '@zbc-signer/chain';
import { ConnectWindow } from '@zbc-signer/connect';
import { Emulator, TraceFile, Vault } from '@zbc-signer/emulator';
import { LocalVault, PageSigner } from '@zbc-signer/emulator/browser';
import { ConformanceBench, TerminalUser } from '@zbc-signer/emulator/conformance';
import { HidCable } from '@zbc-signer/emulator/playwright';
import { Markup } from '@zbc-signer/emulator/report';
import { ExplorerClient } from '@zbc-signer/host/explorer';
import {
  ContactBook,
  FileContacts,
  FileJournal,
  GatewayClient,
  HidTransport,
  HttpTransport,
  MemoryJournal,
  ReportTransport,
  Sessions,
  Signer,
  SignerSession,
  SigningRecord,
  TcpTransport,
  TextFile,
  UartPacketReader,
  UartTransport,
  UsbipTransport,
  UsbTransport,
} from '@zbc-signer/host/node';
import { ReportChannels } from '@zbc-signer/host/reports';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import {
  ActivityIndex,
  Bridge,
  type Browser,
  EmulatorTransport,
  IndexedDbContacts,
  IndexedDbJournal,
  IndexedDbText,
  SharedSigner,
  WebDevices,
} from '@zbc-signer/web';
import { FlowFixture, keyOf, SENT, sendDraft } from '../testkit/gateway/flow-fixture.js';
import { packages, readText } from '../testkit/repository/repository.js';

const BROWSER: Browser = {
  fetch: async () => Response.json({}),
  openChannel: () => ({ postMessage() {}, addEventListener() {}, close() {} }),
};
Object.assign(globalThis, { localStorage: { getItem: () => null, setItem: () => undefined } });
const CONTEXT = {
  pages: () => [],
  exposeBinding: async () => undefined,
  addInitScript: async () => undefined,
};
const NOWHERE = { host: '127.0.0.1', port: 1 };
const GATEWAY = ['http://gateway.test', { fetch: BROWSER.fetch }] as const;
const directory = mkdtempSync(join(tmpdir(), 'zbc-classes-'));
afterAll(() => rmSync(directory, { recursive: true }));
const emulators: Emulator[] = [];
afterEach(async () => {
  for (const emulator of emulators.splice(0)) await emulator.stop().catch(() => undefined);
});
async function startEmulator(): Promise<Emulator> {
  const emulator = await Emulator.start();
  emulators.push(emulator);
  return emulator;
}
const transport = async () => (await startEmulator()).transport();
const noDevice = async () => {
  throw new Error('no device');
};

/** An instance of every public class, by its name. */
const INSTANCES: Record<string, () => unknown> = {
  WireReader: () => new WireReader(new Uint8Array(100)),
  WireWriter: () => new WireWriter(),
  GatewayClient: () => new GatewayClient(...GATEWAY),
  ExplorerClient: () => new ExplorerClient(...GATEWAY),
  MemoryJournal: () => new MemoryJournal(),
  FileJournal: () => new FileJournal(join(directory, 'journal')),
  ContactBook: () =>
    new ContactBook(
      { load: async () => undefined, store: async () => undefined },
      { genesisHash: new Uint8Array(32), signer: new Uint8Array(32) },
    ),
  FileContacts: () => new FileContacts(join(directory, 'contacts.json')),
  TextFile: () => new TextFile(join(directory, 'text')),
  IndexedDbContacts: () => new IndexedDbContacts(BROWSER),
  IndexedDbText: () => new IndexedDbText('text', BROWSER),
  IndexedDbJournal: () => new IndexedDbJournal(BROWSER),
  Sessions: () => new Sessions(),
  Signer: async () => new Signer(await transport()),
  SigningRecord: () => new SigningRecord(),
  SignerSession: async () => new SignerSession(await transport()),
  SoftwareSigner: () => new SoftwareSigner(new Uint8Array(32).fill(1)),
  HidTransport: () => new HidTransport({ system: { list: async () => [], open: noDevice } }),
  UsbTransport: () => new UsbTransport({ system: { list: async () => [] } }),
  HttpTransport: () => new HttpTransport('http://127.0.0.1:1'),
  ReportTransport: () => new ReportTransport(noDevice),
  TcpTransport: () => new TcpTransport(NOWHERE),
  UartTransport: () => new UartTransport(NOWHERE),
  UsbipTransport: () => new UsbipTransport(NOWHERE),
  ReportChannels: () => new ReportChannels(),
  UartPacketReader: () => new UartPacketReader(),
  ActivityIndex: () => new ActivityIndex(new GatewayClient(...GATEWAY), new Uint8Array(32), [], BROWSER),
  Bridge: () => new Bridge(BROWSER),
  EmulatorTransport: () => new EmulatorTransport('http://127.0.0.1:1', BROWSER),
  SharedSigner: async () => {
    const connected = await transport();
    return new SharedSigner({ kind: 'hid', name: 'S', lockName: 's', open: () => connected }, BROWSER);
  },
  WebDevices: () => new WebDevices({ browser: BROWSER }),
  ConnectWindow: () => new ConnectWindow('https://gateway.example'),
  Emulator: startEmulator,
  Vault: () => new Vault(),
  TraceFile: async () => new TraceFile(await startEmulator(), join(directory, 'a.trace')),
  ConformanceBench: async () =>
    ConformanceBench.open({ name: 'E', connect: transport } as never, TEST_MNEMONIC),
  TerminalUser: () =>
    new TerminalUser(
      { input: new PassThrough(), output: new PassThrough(), onInterrupt: () => undefined },
      AbortSignal.abort(),
    ),
  Markup: () => new Markup(''),
  PageSigner: () => PageSigner.start(),
  LocalVault: () => new LocalVault(),
  HidCable: async () => HidCable.connect(CONTEXT, await startEmulator()),
};

/** Makes a Proxy as Vue's `ref` does: also of every object without internal slots that is read from it. */
function deepProxy<Value extends object>(value: Value): Value {
  return new Proxy(value, {
    get: (target, name, receiver) => {
      const found: unknown = Reflect.get(target, name, receiver);
      const isPlain = /^\[object (?:Object|Array)\]$/.test(Object.prototype.toString.call(found));
      return isPlain ? deepProxy(found as object) : found;
    },
  });
}

/** Names of the methods and accessors of an object. */
function membersOf(value: object): string[] {
  const prototype = Object.getPrototypeOf(value);
  // Jest's globals differ from those of Node's own classes.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return [];
  return [...membersOf(prototype), ...Object.getOwnPropertyNames(prototype)];
}

/** The error of a call through a Proxy, if it is due to the Proxy. */
async function proxyFault(instance: object, name: string): Promise<string | undefined> {
  const use = async () => {
    const member: unknown = Reflect.get(deepProxy(instance), name, deepProxy(instance));
    if (typeof member === 'function') await Reflect.apply(member, deepProxy(instance), []);
  };
  const error = await Promise.race([use().catch(thrown => thrown as Error), pause(5)]);
  return /private|[Rr]eceiver/.test(`${error?.message}`) ? `${name}: ${error?.message}` : undefined;
}

const entries = packages.flatMap(directory => {
  const { name, exports } = JSON.parse(readText(`${directory}/package.json`)) as {
    name: string;
    exports: Record<string, { default?: string }>;
  };
  return Object.entries(exports)
    .filter(([entry, { default: file }]) => file?.endsWith('.js') && !/vitest|jest|\*/.test(entry))
    .map(([entry]) => name + entry.slice(1));
});

test.each(entries)('every class of %s works behind a Proxy', async entry => {
  const classes = Object.entries((await import(entry)) as Record<string, unknown>).filter(
    ([, value]) =>
      typeof value === 'function' &&
      /^class\b/.test(`${value}`) &&
      !(value.prototype instanceof Error) &&
      value !== Error,
  );
  const faults: string[] = [];
  for (const [name] of classes) {
    const members = membersOf((await INSTANCES[name]!()) as object).filter(
      member => member !== 'constructor',
    );
    for (const member of members) {
      const instance = (await INSTANCES[name]!()) as { close?: () => unknown };
      const fault = await proxyFault(instance, member);
      await Promise.resolve(instance.close?.()).catch(() => undefined);
      if (fault !== undefined) faults.push(`${name}.${fault}`);
    }
  }
  expect(faults).toEqual([]);
});

test('a payment can be sent with a gateway, a signer and a journal behind Proxies', async () => {
  const fixture = await FlowFixture.start();
  const outcome = await fixture.run(sendDraft(), SENT.timestamp, {
    gateway: deepProxy(new GatewayClient(fixture.url)),
    signer: deepProxy(keyOf(0)),
    journal: deepProxy(new MemoryJournal()),
  });
  expect(outcome.blockHeight).toBe(12n);
  await fixture.gateway.stop();
});
