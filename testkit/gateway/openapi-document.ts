import { startGateway } from '#gateway/gateway.js';
import { httpRequest } from '../network/http.js';
import { gatewayConfig } from './gateway-config.js';

interface Operation {
  operationId: string;
  parameters?: readonly { in: string; name: string }[];
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema: object }>> }>>;
  security?: readonly object[];
  'x-nodes'?: readonly string[];
}

interface OpenApiDocument {
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  components: { schemas: Readonly<Record<string, object>> };
}

/** Reads the OpenAPI document of a gateway that has all routes. */
export async function readDocument(): Promise<OpenApiDocument> {
  const directory = '/nonexistent';
  const config = gatewayConfig({
    faucet: true,
    wallet: true,
    downloadsDir: directory,
    releasesDir: directory,
  });
  const gateway = await startGateway(config, { walletDirectory: new URL('file:///') });
  const { body } = await httpRequest('GET', `${gateway.url}/openapi.json`);
  await gateway.stop();
  return JSON.parse(body.toString()) as OpenApiDocument;
}
