import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { NodeConnections } from '#gateway/upstream/node-connections.js';

test('closing ends a request over a connection of its own, even if the node never answers', async () => {
  const node = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(node, 'listening');
  const { port } = node.address() as AddressInfo;
  const connections = new NodeConnections({ connectMs: 10_000, answerMs: 10_000, pieceMs: 10_000 });
  const asked = connections
    .fresh({ ip: '127.0.0.1', port })
    .request({ method: 'POST', path: '/' })
    .catch((error: Error) => error);
  await once(node, 'connection');
  await connections.close();
  // The time limit of the request would end it later.
  expect(await Promise.race([asked, pause(2000, 'still open')])).toBeInstanceOf(Error);
  node.close();
});
