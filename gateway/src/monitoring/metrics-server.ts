import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { boundUrl, orListenFailed } from '../http/listen.js';

const PATH = '/metrics';
/** Above this number, the oldest connection is closed, so that silent connections never keep a scraper out. */
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
  const connections = new Set<Socket>();
  server.on('connection', socket => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    if (connections.size > MAX_CONNECTIONS) connections.values().next().value?.destroy();
  });
  await orListenFailed(host, port, once(server.listen(port, host), 'listening'));
  return {
    url: `${boundUrl(server)}${PATH}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
