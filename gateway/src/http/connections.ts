import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections were closed as they arrived, by the limit that they were past. */
export interface RefusedConnections {
  all: number;
  client: number;
}

export interface ConnectionLimits {
  /** Of all clients together; 0 disables the limit. */
  total: number;
  /** 0 disables the limit. */
  perClient: number;
  /** Names the client of a remote address; undefined for a proxy, whose connections serve many clients. */
  clientOf: (address: string | undefined) => string | undefined;
  onRefused?: (limit: keyof RefusedConnections) => void;
}

/** Descriptors for nodes, files and logs: their share, and the most that is kept back. */
const RESERVED_SHARE = 0.5;
const MAX_RESERVED = 2048;

/** Closes connections past the limits as they arrive; the limits may change, see `setConnectionLimit`. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  setConnectionLimit(server, limits);
  server.on('drop', () => limits.onRefused?.('all'));
  const counts = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const client = limits.perClient === 0 ? undefined : limits.clientOf(socket.remoteAddress);
    if (client === undefined) return;
    const count = counts.get(client) ?? 0;
    if (count >= limits.perClient) {
      socket.destroy();
      limits.onRefused?.('client');
      return;
    }
    counts.set(client, count + 1);
    socket.once('close', () => release(counts, client));
  });
}

/** Sets the limit of all connections together, and keeps descriptors for nodes. */
export function setConnectionLimit(server: Server, { total }: Pick<ConnectionLimits, 'total'>): void {
  server.maxConnections = Math.min(total || Number.POSITIVE_INFINITY, availableDescriptors());
}

/** Takes one from a client's count, and forgets clients at zero. */
export function release(counts: Map<string, number>, client: string): void {
  const count = counts.get(client)! - 1;
  if (count === 0) {
    counts.delete(client);
  } else {
    counts.set(client, count);
  }
}

let available: number | undefined;

/** The process's limit of open files, less the reserve; a report takes milliseconds, so one is made. */
function availableDescriptors(): number {
  available ??= readAvailableDescriptors();
  return available;
}

function readAvailableDescriptors(): number {
  const report: unknown = process.report.getReport();
  const limits: unknown = Reflect.get(Object(Reflect.get(Object(report), 'userLimits')), 'open_files');
  const soft: unknown = Reflect.get(Object(limits), 'soft');
  if (typeof soft !== 'number') return Number.MAX_SAFE_INTEGER;
  return soft - Math.min(MAX_RESERVED, Math.floor(RESERVED_SHARE * soft));
}
