// A crowd of clients of a gateway, from many loopback addresses: words KIND COUNT URL. Reports how many are
// connected once they all are, and twice a second from then on; a client that is closed comes back.
import { connect, type Socket } from 'node:net';
import { argv } from 'node:process';

export type CrowdKind = keyof typeof KINDS;

export interface CrowdReport {
  connected: number;
  /** Those that were closed by now, and came back. */
  closed: number;
}

/** Connections from one address: fewer than a client may have. */
const PER_ADDRESS = 90;
const AT_ONCE = 200;
const EVERY_MS = 1000;
const BACK_MS = 200;
const REPORT_MS = 500;
/** What a slow reader takes in EVERY_MS. */
const READ_BYTES = 4096;

const [, , kind, count, url] = argv;
const { hostname: host, port } = new URL(url!);
const report: CrowdReport = { connected: 0, closed: 0 };

const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: gateway.test\r\n\r\n`;
const POST =
  'POST /api/v1/transactions HTTP/1.1\r\nHost: gateway.test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n';

/** What a client does once it is connected; it calls `settle` when it is one of the crowd. */
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

/** Every EVERY_MS, but not all clients at the same moment. */
function repeat(socket: Socket, action: () => void): void {
  let timer = setTimeout(() => {
    timer = setInterval(action, EVERY_MS);
  }, Math.random() * EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

/** Resolves when the client is one of the crowd, or was closed. */
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
