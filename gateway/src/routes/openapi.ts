import type { FastifyInstance } from 'fastify';
import { describeGateway } from '../openapi/document.js';
import { GATEWAY_VERSION } from '../version.js';

/** `GET /openapi.json`: every route of this gateway and of its nodes. */
export function addOpenApiRoute(app: FastifyInstance): void {
  const document = describeGateway(GATEWAY_VERSION);
  app.get('/openapi.json', () => document);
}
