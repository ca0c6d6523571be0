import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { GATEWAY_VERSION } from '../base/version.js';
import { CHAIN_ROUTES } from './chain-table.js';
import { ERROR, refusal } from './records.js';

/** Errors that any route may answer, by status. */
const ERRORS = {
  400: 'Malformed request or invalid parameter',
  403: 'The host name belongs neither to this gateway nor to a node on the allowlist',
  404: 'There is nothing under this path, or this gateway does not have the route',
  414: 'The path is too long',
  429: 'The rate limit of the client is exceeded; see Retry-After',
  500: 'Internal error of the gateway',
};
/** Errors of the routes that need the admin key. */
const KEY_ERRORS = { 401: 'Missing or invalid admin key' };
/** Errors of the routes that read a body. */
const BODY_ERRORS = {
  413: 'The body is larger than 65536 bytes',
  415: 'The body is not application/json',
};
/** Errors of the routes that ask nodes. */
const NODE_ERRORS = {
  502: 'The nodes closed the connection or sent an invalid response',
  503: 'No node is available, or the node is overloaded',
  504: 'The nodes did not respond in time',
};

/** The tag of the gateway's own routes that ask nodes. */
export const ASKS_NODES = 'asks nodes';

const DESCRIPTION = `The chain's routes under /api/v1/, which are proxied to nodes, and the gateway's own
routes. Amounts are integers of atomic units, 10^8 for one coin, and ids exceed 2^53: parse all digits of JSON
integers.
HEAD is supported where GET is. Other methods of chain routes return 405; unknown routes return 404.
The body of every error response is an Error.
x-nodes lists the kinds of nodes that have a route. A GET goes to an archival node first, and to a full node if that
returns 404 with an empty body. If the archival node fails and the full node returns an empty 404, the response
is the failure. A POST goes only to full nodes.`;

const OPENAPI = {
  openapi: '3.1.0',
  info: { title: 'ZBC gateway', version: GATEWAY_VERSION, description: DESCRIPTION },
  servers: [
    { url: '/', description: 'This gateway' },
    {
      url: 'https://ip-{node}.{gateway_host}',
      description: 'One node of the allowlist: only the routes under /api/v1/',
      variables: {
        node: {
          default: '127-0-0-1',
          description:
            'The IPv4 address with dashes instead of dots, then -p and the port unless it is the default port',
        },
        gateway_host: { default: 'localhost' },
      },
    },
  ],
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'admin_api_key of gateway.json' },
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The same key' },
    },
  },
} satisfies FastifyDynamicSwaggerOptions['openapi'];

/** Collects the schemas of all routes that are added afterwards into the document of `GET /openapi.json`. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  app.addSchema(ERROR);
  await app.register(swagger, {
    openapi: OPENAPI,
    convertConstToEnum: false,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    transform: ({ schema = {}, url, route }) => ({
      url,
      schema: url.endsWith('*') ? { hide: true } : withErrors(schema, route.method === 'POST'),
    }),
    transformObject: documents =>
      withChainRoutes('openapiObject' in documents ? documents.openapiObject : {}),
  });
  const response = { 200: { description: 'OpenAPI 3.1', type: 'object' } };
  app.get('/openapi.json', { schema: { operationId: 'openapi', summary: 'This document', response } }, () =>
    app.swagger(),
  );
}

function withErrors(schema: FastifySchema, hasBody: boolean): FastifySchema {
  const errors = {
    ...ERRORS,
    ...(schema.security && KEY_ERRORS),
    ...(hasBody && BODY_ERRORS),
    ...(schema.tags?.includes(ASKS_NODES) && NODE_ERRORS),
  };
  return { ...schema, response: { ...mapped(errors, refusal), ...Object(schema.response) } };
}

/** Adds the routes of the nodes, which the gateway serves with one route. */
function withChainRoutes<D extends { paths?: object | undefined }>(document: D): D {
  const paths: Record<string, object> = { ...document.paths };
  // Some routes serve GET and HEAD with one handler.
  for (const item of Object.values(paths)) Reflect.deleteProperty(item, 'head');
  for (const [name, { nodes, accepted = { 200: 'The answer of the node' }, ...route }] of Object.entries(
    CHAIN_ROUTES,
  )) {
    const [method = '', path = ''] = name.split(' ');
    const errors = {
      ...ERRORS,
      ...NODE_ERRORS,
      ...(method === 'POST' && BODY_ERRORS),
    };
    const answer = (schema: object) => (description: string) => ({
      description,
      content: { 'application/json': { schema } },
    });
    const responses = {
      ...mapped(errors, answer({ $ref: '#/components/schemas/Error' })),
      ...mapped(accepted, answer({})),
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: { ...route, responses, 'x-nodes': nodes } };
  }
  return { ...document, paths };
}

function mapped(texts: Readonly<Record<number, string>>, describe: (description: string) => object) {
  return Object.fromEntries(Object.entries(texts).map(([status, text]) => [status, describe(text)]));
}
