// A proxy that consists only of Fastify and undici, to measure the time that they need to forward a GET. The
// argument is the upstream's URL. Prints its own URL.
import { argv } from 'node:process';
import { fastify } from 'fastify';
import { Pool } from 'undici';

const headers = { accept: 'application/json' };
const upstream = new Pool(argv[2]!, { connections: 128 });
const server = fastify({ keepAliveTimeout: 65_000 });

server.get('/*', async ({ url }, reply) => {
  const { statusCode, body } = await upstream.request({ method: 'GET', path: url, headers });
  return reply
    .code(statusCode)
    .type('application/json')
    .send(Buffer.from(await body.arrayBuffer()));
});
console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
