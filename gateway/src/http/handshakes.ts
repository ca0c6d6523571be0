import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** Time limit of a TLS handshake. */
export const HANDSHAKE_MS = 10_000;

/**
 * Closes connections whose TLS handshake fails or takes longer than HANDSHAKE_MS. Node counts them neither as
 * idle nor as requests, so `closeIdleConnections` is made to close them too.
 */
export function watchHandshakes(server: Server): void {
  const pending = new Map<string, Socket>();
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`;
  server.on('connection', (socket: Socket) => {
    const key = keyOf(socket);
    const timer = setTimeout(() => pending.get(key) === socket && socket.destroy(), HANDSHAKE_MS);
    pending.set(key, socket);
    socket.once('close', () => {
      clearTimeout(timer);
      if (pending.get(key) === socket) pending.delete(key);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => pending.delete(keyOf(socket)));
  server.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    for (const socket of pending.values()) socket.destroy();
  };
}
