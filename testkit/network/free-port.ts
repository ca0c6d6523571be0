import { once } from 'node:events';
import { createServer } from 'node:net';

/** Linux assigns ports from 32768 on to servers without a fixed port, and to connections. */
const [FIRST, COUNT] = [12_000, 20_000];

/**
 * A free port of the loopback address. The system does not assign it to others, so that it stays free until
 * it is used, and between two uses.
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
