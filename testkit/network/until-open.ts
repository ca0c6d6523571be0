import { createConnection } from 'node:net';
import { until } from '../time/until.js';

/**
 * Waits until a server listens on a loopback port. The server gets a connection that is closed immediately.
 */
export function untilOpen(port: number): Promise<void> {
  return until(
    () =>
      new Promise(resolve => {
        const socket = createConnection(port, '127.0.0.1', () => resolve(true));
        socket.once('error', () => resolve(false));
        socket.once('connect', () => socket.destroy());
      }),
  );
}
