import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse, stringify } from 'lossless-json';
import { Wallet } from '../../testkit/chain/wallet.js';
import { signPayment } from '../../testkit/devnet/payment.js';
import { httpRequest } from '../../testkit/network/http.js';
import { Network } from '../../testkit/network/network.js';
import { startFullNode } from '../../testkit/network/network-processes.js';
import { endProcess } from '../../testkit/process/child.js';
import { openTestDirectory } from '../../testkit/process/temporary-directory.js';

const KEY = 'k'.repeat(43);
const NO_ROOM = 'The disk of this node has less than 64 MiB of free space';
/** Time in which a node makes ten blocks. */
const TEN_BLOCKS_MS = 1000;
const SIZES = { full: '72m', archival: '72m', state: '1m' };
const [payer, payee] = [Wallet.numbered(1), Wallet.numbered(2)];

const own = openTestDirectory();
const errors = join(own, 'errors.txt');
let holder: ChildProcessWithoutNullStreams;
let directory: string;
let network: Network;
let amount = 0n;

afterAll(async () => {
  await network?.stop();
  holder.stdin.end();
});

/**
 * Mounts the small file systems, as only root may, in the namespace of a process that ends with this one: no
 * mount stays, even if the test is killed. Returns their directory as seen from here.
 */
async function mountAll(): Promise<string> {
  const mounts = Object.entries(SIZES).map(([name, size]) => {
    const path = join(own, name);
    return `mkdir ${path} && mount -t tmpfs -o size=${size} tmpfs ${path}`;
  });
  const script = [...mounts, 'echo mounted', 'exec cat'].join(' && ');
  holder = spawn('unshare', ['--mount', 'sh', '-c', script]);
  await once(holder.stdout, 'readable');
  return `/proc/${holder.pid}/root${own}`;
}

beforeAll(async () => {
  directory = await mountAll();
  network = await Network.start(directory, {
    blockTimeSeconds: TEN_BLOCKS_MS / 10_000,
    gateway: { state_file: join(directory, 'state/allowlist.json') },
    processes: { stderr: openSync(errors, 'a') },
  });
  expect((await post(`${network.gateway.url}/faucet`, { address: payer.hex })).status).toBe(200);
});

/** Fills a file system to its last byte. Returns the function that makes room again. */
function fill(name: keyof typeof SIZES): () => void {
  const path = join(directory, name, 'filler');
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  }
  closeSync(file);
  return () => rmSync(path);
}

async function post(url: string, fields: object): Promise<{ status: number; body: object }> {
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await httpRequest('POST', url, { headers, body: stringify(fields)! });
  return { status, body: JSON.parse(body.toString()) };
}

const pay = () =>
  post(`${network.full.url}/api/v1/transactions`, signPayment(payer, payee, (amount += 1n)).fields);

async function heightOf(url: string): Promise<bigint> {
  const { body } = await httpRequest('GET', `${url}/api/v1/node/info`);
  return (parse(body.toString(), undefined, BigInt) as { height: bigint }).height;
}

/** Fails with the test's time limit if the node does not reach the height. */
async function untilHeight(url: string, height: bigint): Promise<void> {
  while ((await heightOf(url)) < height) await pause(TEN_BLOCKS_MS / 20);
}

/** Lines of all processes since the last call that name the full disk. */
let read = 0;
function newLines(): string[] {
  const text = readFileSync(errors, 'utf8');
  const lines = text
    .slice(read)
    .split('\n')
    .filter(line => line.includes(NO_ROOM));
  read = text.length;
  return lines;
}

test('a full node with a full disk answers 503 to payments, reports it once, and continues once there is room', async () => {
  const makeRoom = fill('full');
  await pause(TEN_BLOCKS_MS);
  const height = await heightOf(network.full.url);
  for (let payment = 0; payment < 50; payment++) {
    expect(await pay()).toMatchObject({ status: 503, body: { error: NO_ROOM } });
  }
  expect(await heightOf(network.full.url)).toBe(height);
  expect(newLines()).toEqual([NO_ROOM]);
  makeRoom();
  expect((await pay()).status).toBe(202);
  await untilHeight(network.archival.url, height + 3n);
  expect(newLines()).toEqual([]);
});

test('a full node stops in order with a full disk, does not start with one, and says why', async () => {
  const makeRoom = fill('full');
  await endProcess(network.full, 'SIGTERM');
  expect(network.full.child.exitCode).toBe(0);
  const node = { dataDir: network.fullDir, port: network.full.port };
  await expect(startFullNode(node)).rejects.toThrow(`the data directory cannot be opened: ${NO_ROOM}`);
  makeRoom();
  await network.startFull();
  expect((await pay()).status).toBe(202);
});

test('an archival node with a full disk keeps its blocks, reports it once, and catches up once there is room', async () => {
  await untilHeight(network.archival.url, await heightOf(network.full.url));
  newLines();
  const makeRoom = fill('archival');
  await pause(TEN_BLOCKS_MS);
  const height = await heightOf(network.archival.url);
  await pause(TEN_BLOCKS_MS);
  expect(await heightOf(network.archival.url)).toBe(height);
  const reached = await heightOf(network.full.url);
  expect(reached).toBeGreaterThan(height + 3n);
  expect(newLines()).toEqual([`block ${height + 1n} cannot be applied: ${NO_ROOM}`]);
  makeRoom();
  await untilHeight(network.archival.url, reached);
});

test('a gateway with a full disk answers 503 to changes, keeps the earlier ones, and continues once there is room', async () => {
  const remove = async (port: number) => {
    const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ ip: '192.0.2.1', port });
    const url = `${network.gateway.url}/gateway/allowlist/remove`;
    const reply = await httpRequest('POST', url, { headers, body });
    return [reply.status, JSON.parse(reply.body.toString()).error];
  };
  const file = join(directory, 'state/allowlist.json');
  const removed = () =>
    JSON.parse(readFileSync(file, 'utf8')).removed.map((each: { port: number }) => each.port);
  expect(await remove(1)).toEqual([200, undefined]);
  const makeRoom = fill('state');
  expect(await remove(2)).toEqual([503, `state_file: ${file}: cannot be written (ENOSPC)`]);
  expect((await httpRequest('GET', `${network.gateway.url}/gateway/status`)).status).toBe(200);
  expect(removed()).toEqual([1]);
  makeRoom();
  expect(await remove(3)).toEqual([200, undefined]);
  expect(removed()).toEqual([1, 3]);
});
