import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Number of connections refused on arrival, by the limit that they exceeded. */
export interface RefusedConnections {
  all: number;
  client: number;
}

export interface ConnectionLimits {
  /** Limit for all clients together; 0 disables it. */
  total: number;
  /** Limit per client; 0 disables it. */
  perClient: number;
  /** Returns the name of the client at a remote address; undefined for a proxy, which serves many clients. */
  clientOf: (address: string | undefined) => string | undefined;
  onRefused?: (limit: keyof RefusedConnections) => void;
}

/**
 * Share of the file descriptors that is reserved for nodes, files and logs, and the maximum number of
 * reserved ones.
 */
const RESERVED_SHARE = 0.5;
const MAX_RESERVED = 2048;

/** Closes a new connection immediately if it exceeds a limit. */
export function limitConnections(server: Server, limits: ConnectionLimits): void {
  server.maxConnections = Math.min(limits.total || Number.POSITIVE_INFINITY, availableDescriptors());
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

/** Decrements a client's count, and forgets the client at zero. */
export function release(counts: Map<string, number>, client: string): void {
  const count = counts.get(client)! - 1;
  if (count === 0) {
    counts.delete(client);
  } else {
    counts.set(client, count);
  }
}

let available: number | undefined;

/**
 * The process's limit of open files minus the reserved ones. The result is stored, because the report takes
 * milliseconds.
 */
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
