import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { GATEWAY_VERSION } from '../base/version.js';
import { chainPaths } from './chain-table.js';
import { ERROR } from './records.js';

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
    transform: ({ schema, url }) => {
      if (url.endsWith('*')) return { url, schema: { hide: true } };
      const failed = { $ref: 'Error#', description: 'An error' };
      return { url, schema: { ...schema, response: { default: failed, ...Object(schema?.response) } } };
    },
    transformObject: documents => {
      const document = 'openapiObject' in documents ? documents.openapiObject : {};
      // Some routes serve GET and HEAD with one handler.
      for (const item of Object.values(document.paths ?? {})) Reflect.deleteProperty(item ?? {}, 'head');
      return { ...document, paths: { ...document.paths, ...chainPaths() } };
    },
  });
  const response = { 200: { description: 'OpenAPI 3.1', type: 'object' } };
  app.get('/openapi.json', { schema: { operationId: 'openapi', summary: 'This document', response } }, () =>
    app.swagger(),
  );
}
