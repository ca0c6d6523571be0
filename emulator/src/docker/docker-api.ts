import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { EmulatorError, PortInUseError } from '../errors.js';
import { Container, type ContainerSpec } from './container.js';
import type { Containers } from './containers.js';
import { DockerError } from './docker-error.js';

/** Schema of the used part of the request. */
const CREATE = {
  body: {
    type: 'object',
    properties: {
      Cmd: { type: 'array', items: { type: 'string' } },
      HostConfig: {
        type: 'object',
        properties: {
          PortBindings: {
            type: 'object',
            nullable: true,
            additionalProperties: {
              type: 'array',
              items: {
                type: 'object',
                properties: { HostPort: { type: 'string', pattern: '^\\d{0,5}$' } },
              },
            },
          },
        },
      },
    },
  },
  querystring: { type: 'object', properties: { name: { type: 'string', pattern: '^/?[\\w.-]+$' } } },
};

interface ContainerRoute {
  Params: { id: string };
}

/** The part of Docker's Engine API that starts and stops containers, each an emulator. */
export function createDockerApi(containers: Containers): FastifyInstance {
  const server = Fastify({
    forceCloseConnections: true,
    rewriteUrl: ({ url = '/' }) => withoutVersion(url),
    ajv: { customOptions: { coerceTypes: false } },
  });
  server.setErrorHandler(answerError);
  server.get('/_ping', (_request, reply) => reply.type('text/plain').send('OK'));
  server.post('/images/create', (_request, reply) =>
    reply.send(`${JSON.stringify({ status: 'Nothing to pull: the emulator is built in' })}\n`),
  );
  server.get<{ Querystring: { filters?: string } }>('/containers/json', async ({ query }) =>
    containers.list(nameFilters(query.filters)).map(describe),
  );
  server.post<{ Body: ContainerSpec; Querystring: { name?: string } }>(
    '/containers/create',
    { schema: CREATE },
    (request, reply) => {
      const container = new Container(request.query.name?.replace('/', '') ?? '', request.body);
      containers.add(container);
      return reply.code(201).send({ Id: container.id, Warnings: [] });
    },
  );
  routeContainer(server, containers);
  return server;
}

function routeContainer(server: FastifyInstance, containers: Containers): void {
  server.post<ContainerRoute>('/containers/:id/start', async ({ params }, reply) => {
    const container = containers.get(params.id);
    const code = container.running ? 304 : 204;
    await container.start();
    return reply.code(code).send();
  });
  server.post<ContainerRoute>('/containers/:id/stop', async ({ params }, reply) => {
    const container = containers.get(params.id);
    const code = container.running ? 204 : 304;
    await container.stop();
    return reply.code(code).send();
  });
  server.post<ContainerRoute>('/containers/:id/attach', ({ params }, reply) =>
    reply.type('application/vnd.docker.raw-stream').send(containers.get(params.id).attach()),
  );
  server.delete<ContainerRoute>('/containers/:id', async ({ params }, reply) => {
    await containers.remove(params.id);
    return reply.code(204).send();
  });
}

/** Clients may prefix the path with an API version. */
function withoutVersion(url: string): string {
  return url.replace(/^\/v\d+\.\d+(?=\/)/, '');
}

/** Parses `{"name":["zemu-"]}`: alternative parts of names. */
function nameFilters(filters: string | undefined): string[] {
  try {
    const { name = [] }: { name?: unknown } = JSON.parse(filters ?? '{}');
    return Array.isArray(name) ? name.map(String) : Object.keys(Object(name));
  } catch {
    throw new DockerError(400, 'filters is not JSON');
  }
}

function describe({ id, name, spec, createdSeconds, running }: Container): object {
  const State = running ? 'running' : 'created';
  return { Id: id, Names: [`/${name}`], Image: spec.Image ?? '', Created: createdSeconds, State };
}

/** Uses Docker's message for a taken port: its clients match it. */
function answerError(
  error: Error & { statusCode?: number },
  _request: unknown,
  reply: FastifyReply,
): unknown {
  if (error instanceof PortInUseError) {
    const message = `Bind for ${error.host}:${error.port} failed: port is already allocated`;
    return reply.code(500).send({ message });
  }
  const status = error.statusCode ?? (error instanceof EmulatorError ? 400 : 500);
  return reply.code(status).send({ message: status < 500 ? error.message : 'internal error' });
}
