// Simulates a crowd of clients with many loopback addresses. Arguments: KIND COUNT URL. Reports the number of
// connected clients when all have connected, then twice a second. If a client's connection is closed, it
// connects again.
import { connect, type Socket } from 'node:net';
import { argv } from 'node:process';

export type CrowdKind = keyof typeof KINDS;

export interface CrowdReport {
  connected: number;
  /** Number of connections that were closed so far. Their clients have connected again. */
  closed: number;
}

/** Connections from one address, below the limit per client. */
const PER_ADDRESS = 90;
const AT_ONCE = 200;
const EVERY_MS = 1000;
const BACK_MS = 200;
const REPORT_MS = 500;
/** Bytes that a slow reader accepts every EVERY_MS. */
const READ_BYTES = 4096;

const [, , kind, count, url] = argv;
const { hostname: host, port } = new URL(url!);
const report: CrowdReport = { connected: 0, closed: 0 };

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gateway.test\r\n\r\n`;
const POST =
  'POST /api/v1/transactions HTTP/1.1\r\nHost: gateway.test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

/** The behaviour of a connected client; it calls `settle` once it counts as part of the crowd. */
type Begin = (socket: Socket, settle: () => void) => void;

const KINDS = {
  'idle connections': (socket, settle) => {
    socket.once('data', settle);
    socket.resume().write(request('/gateway/health/live'));
  },
  'slow readers of 150 kB': readSlowly('/api/v1/large'),
  'slow readers of 8 MB': readSlowly('/api/v1/huge'),
  'slow writers': (socket, settle) => {
    socket.resume().write(POST);
    repeat(socket, () => socket.write('x'));
    settle();
  },
} satisfies Record<string, Begin>;

function readSlowly(path: string): Begin {
  return (socket, settle) => {
    socket.on('readable', () => undefined).once('readable', settle);
    socket.write(request(path));
    repeat(socket, () => socket.read(READ_BYTES));
  };
}

/**
 * Runs an action every EVERY_MS. The first run is after a random time, so that not all clients act at once.
 */
function repeat(socket: Socket, action: () => void): void {
  let timer = setTimeout(() => {
    timer = setInterval(action, EVERY_MS);
  }, Math.random() * EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

/** Resolves once the client counts as part of the crowd, or was closed. */
function join(index: number): Promise<void> {
  const at = Math.floor(index / PER_ADDRESS);
  const localAddress = `127.${1 + Math.floor(at / 200)}.0.${1 + (at % 200)}`;
  const socket = connect({ host, port: Number(port), localAddress });
  socket.on('error', () => undefined);
  return new Promise(resolve => {
    let isIn = false;
    const settle = () => {
      isIn = true;
      report.connected += 1;
      resolve();
    };
    socket.once('connect', () => KINDS[kind as CrowdKind](socket, settle));
    socket.once('close', () => {
      report.closed += 1;
      if (isIn) report.connected -= 1;
      resolve();
      setTimeout(() => void join(index), BACK_MS);
    });
  });
}

for (let first = 0; first < Number(count); first += AT_ONCE) {
  const many = Math.min(Number(count) - first, AT_ONCE);
  await Promise.all(Array.from({ length: many }, (_, index) => join(first + index)));
}
process.on('disconnect', () => process.exit());
setInterval(() => process.send?.(report), REPORT_MS);
process.send?.(report);
