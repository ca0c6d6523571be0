import type { FastifyInstance } from 'fastify';
import { GATEWAY_VERSION } from '../base/version.js';
import { describeGateway } from '../openapi/document.js';

/** `GET /openapi.json`: every route of this gateway and of its nodes. */
export function addOpenApiRoute(app: FastifyInstance): void {
  const document = describeGateway(GATEWAY_VERSION);
  app.get('/openapi.json', () => document);
}
