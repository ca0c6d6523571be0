// What a crowd of idle connections, slow readers and slow writers costs another client of a gateway, and how
// much memory: `make crowd`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { endProcess } from '../testkit/child.js';
import { type Answer, json, RecordingNode } from '../testkit/gateway/recording-node.js';
import { startGatewayProcess } from '../testkit/network-processes.js';
import { load } from './wrk.js';

const SHARE = Number(argv[2] ?? 1);
const IDLE = 10_000 * SHARE;
const SLOW = 1000 * SHARE;
/** Connections from one address: fewer than a client may have. */
const PER_ADDRESS = 90;
const AT_ONCE = 200;
const LOAD = { connections: 4, seconds: 5 };
const LARGE = Buffer.alloc(150_000, 'x');
const EVERY_MS = 1000;

const answer: Answer = (received, response, socket) => {
  if (received.path === '/api/v1/large') response.end(LARGE);
  else json(200, { height: 1 })(received, response, socket);
};

const directory = mkdtempSync(join(tmpdir(), 'zbc-crowd.'));
const node = await RecordingNode.start('full', answer);
const gateway = await startGatewayProcess(directory, {
  health_interval_ms: 5000,
  static_nodes: [{ ip: node.ip, port: node.port, role: node.role }],
});
const crowd = new Set<Socket>();
let opened = 0;

/** Opens connections from many addresses; `begin` is called with each. */
async function gather(count: number, begin: (socket: Socket) => void): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => open(begin)));
  }
}

function open(begin: (socket: Socket) => void): Promise<void> {
  const at = Math.floor(opened++ / PER_ADDRESS);
  const localAddress = `127.${1 + Math.floor(at / 200)}.0.${1 + (at % 200)}`;
  const socket = connect({ host: '127.0.0.1', port: gateway.port, localAddress });
  crowd.add(socket);
  socket.on('error', () => undefined);
  return new Promise(resolve => {
    socket.once('connect', () => {
      begin(socket);
      resolve();
    });
    socket.once('close', () => {
      crowd.delete(socket);
      resolve();
    });
  });
}

/** Megabytes of memory of the gateway. */
function memory(): number {
  const status = readFileSync(`/proc/${gateway.child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1000;
}

async function measure(name: string): Promise<void> {
  const before = crowd.size;
  const { p50Ms, p99Ms, requestsPerSecond } = await load(`${gateway.url}/api/v1/x`, LOAD);
  node.received.length = 0;
  const figures = [
    `p50 ${p50Ms.toFixed(2)} ms`,
    `p99 ${p99Ms.toFixed(2)} ms`,
    `${requestsPerSecond.toFixed(0)} /s`,
    `${memory().toFixed(0)} MB`,
    `connections of the crowd ${before} to ${crowd.size}`,
  ];
  console.log(`${name.padEnd(24)} ${figures.join(', ')}`);
}

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gateway.test\r\n\r\n`;
const POST =
  'POST /api/v1/transactions HTTP/1.1\r\nHost: gateway.test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

function leave(): void {
  for (const socket of crowd) socket.destroy();
}

try {
  await measure('warm-up');
  await measure('alone');
  await gather(IDLE, () => undefined);
  await measure(`${IDLE} idle`);
  leave();
  await measure('alone again');
  await gather(SLOW, socket => {
    socket.pause();
    socket.write(request('/api/v1/large'));
  });
  await measure(`${SLOW} slow readers`);
  leave();
  await measure('alone again');
  await gather(SLOW, socket => {
    socket.write(POST);
    const timer = setInterval(() => socket.write('x'), EVERY_MS);
    socket.once('close', () => clearInterval(timer));
  });
  await measure(`${SLOW} slow writers`);
  leave();
  await measure('alone again');
} finally {
  leave();
  await endProcess(gateway, 'SIGTERM');
  await node.stop();
  rmSync(directory, { recursive: true });
}
