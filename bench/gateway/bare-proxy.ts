// Measures the time Fastify and undici need to pass a GET on by themselves. The argument is the upstream's
// address; prints its own.
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
