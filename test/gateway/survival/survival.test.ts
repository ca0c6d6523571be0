import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { httpRequest } from '../../../testkit/network/http.js';
import { startTunedGateway } from '../../../testkit/network/network-processes.js';
import { endProcess } from '../../../testkit/process/child.js';
import { someOf } from '../../../testkit/repository/case-count.js';
import { BEHAVIOURS } from './behaviours.js';
import { BreakingNode } from './breaking-node.js';

const TIMEOUTS = { connectMs: 500, answerMs: 500, pieceMs: 500 };
const GET = 'GET /api/v1/tokens HTTP/1.1\r\nhost: gateway.test\r\n\r\n';

let directory: string;
let archival: BreakingNode;
let full: BreakingNode;
let child: ChildProcess;
let url: string;
let idleDescriptors: number;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'zbc-survival-'));
  [archival, full] = await Promise.all([BreakingNode.start('archival'), BreakingNode.start('full')]);
  const nodes = [archival, full].map(({ ip, port, role }) => ({ url: `http://${ip}:${port}`, role }));
  const fields = { static_nodes: nodes, health_interval_ms: 3_600_000 };
  ({ child, url } = await startTunedGateway(directory, fields, { timeouts: TIMEOUTS }, { stderr: 'ignore' }));
  idleDescriptors = descriptors();
});
afterAll(async () => {
  await endProcess({ child });
  await Promise.all([archival.stop(), full.stop()]);
  rmSync(directory, { recursive: true });
});

const isAlive = () => child.exitCode === null && child.signalCode === null;
const descriptors = () => readdirSync(`/proc/${child.pid}/fd`).length;

async function ask(path: string): Promise<number> {
  const reply = await httpRequest('GET', url + path, { headers: { host: 'gateway.test' } }).catch(
    () => undefined,
  );
  return reply?.status ?? 0;
}

test('at least 60 ways for a node to fail are tested', () => {
  expect(BEHAVIOURS.length).toBeGreaterThanOrEqual(60);
});

test('no failure of a first or a second node ends the gateway', async () => {
  for (const [index, [name, behaviour]] of someOf([...BEHAVIOURS.entries()])) {
    const other = BEHAVIOURS[(37 * index + 11) % BEHAVIOURS.length]!;
    for (const [first, second] of [
      [behaviour, behaviour],
      [behaviour, other[1]],
      [other[1], behaviour],
    ] as const) {
      archival.behaviour = socket => first()(socket);
      full.behaviour = socket => second()(socket);
      await Promise.all([ask('/api/v1/tokens'), ask('/verify?sha256='.padEnd(79, '0')), leaveEarly()]);
      expect([name, other[0], isAlive()]).toEqual([name, other[0], true]);
    }
  }
  expect(await ask('/gateway/status')).toBe(200);
});

test('a failing second response does not leave errors of the first response unhandled', async () => {
  const [, broken] = BEHAVIOURS.find(([name]) => name === '500 with a long body, later broken')!;
  archival.behaviour = socket => broken()(socket);
  full.behaviour = () => {};
  await ask('/api/v1/tokens');
  expect(isAlive()).toBe(true);
});

const RUDE = [
  ['a CONNECT', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['an upgrade', 'GET / HTTP/1.1\r\nhost: gateway.test\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ['nonsense', '\x16\x03\x01\x00\x00'],
  ['half a request', 'GET /api'],
  [
    'a body that stops',
    'POST /api/v1/transactions HTTP/1.1\r\nhost: gateway.test\r\ncontent-length: 9\r\n\r\n{',
  ],
  ['an expectation', 'POST /faucet HTTP/1.1\r\nhost: gateway.test\r\nexpect: x\r\ncontent-length: 9\r\n\r\n'],
  ['two requests at once', GET + GET],
] as const;

test.each(RUDE)('%s before a reset does not end the gateway', async (_name, text) => {
  for (const waitMs of [0, 0, 1, 5, 20]) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    socket.write(text, 'latin1');
    await pause(waitMs);
    socket.resetAndDestroy();
  }
  await pause(50);
  expect([isAlive(), await ask('/gateway/status')]).toEqual([true, 200]);
});

test('descriptors are released after failed responses', async () => {
  archival.behaviour = socket => void socket.end('HTTP/1.1 500 X\r\ncontent-length: 100000\r\n\r\nx');
  full.behaviour = archival.behaviour;
  await Promise.all(Array.from({ length: 50 }, () => ask('/api/v1/tokens')));
  while (descriptors() > idleDescriptors + 5) await pause(50);
  // After the name in parentheses comes the state; Z is a process that has ended.
  expect(readFileSync(`/proc/${child.pid}/stat`, 'latin1')).not.toMatch(/\) Z/);
});

async function leaveEarly(): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(GET);
  await pause(Math.random() * 60);
  socket.resetAndDestroy();
}
