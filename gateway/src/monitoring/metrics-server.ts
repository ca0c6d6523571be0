import { once } from 'node:events';
import { createServer } from 'node:http';
import { boundUrl, orListenFailed } from '../http/listen.js';

const PATH = '/metrics';
const MAX_CONNECTIONS = 64;

export interface MetricsServer {
  url: string;
  stop(): Promise<void>;
}

/** Serves metrics in Prometheus's text format on a separate listener, which should not be public. */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  registry: { metrics(): Promise<string> },
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
    if (request.method !== 'GET' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      text =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  await orListenFailed(host, port, once(server.listen(port, host), 'listening'));
  return {
    url: `${boundUrl(server)}${PATH}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
