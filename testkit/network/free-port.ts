import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range of ports to choose from. It is below 32768, the first port that Linux assigns by itself. */
const [FIRST, COUNT] = [12_000, 20_000];

/**
 * Returns a free port of the loopback address. The system does not assign this port to other programs, so it
 * stays free until it is used, and between two uses.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(COUNT * Math.random());
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}
