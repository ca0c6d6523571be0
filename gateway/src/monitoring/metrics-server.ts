import { once } from 'node:events';
import { createServer } from 'node:http';
import type { GatewayContext } from '../gateway-context.js';
import { boundUrl, orCannotListen } from '../http/listen.js';
import { createMetrics } from './metrics.js';

const PATH = '/metrics';

export interface MetricsServer {
  url: string;
  stop(): Promise<void>;
}

/** Counts what the gateway answers when the configuration asks for it; a worker leaves the listener to the primary. */
export async function publishMetrics(
  context: GatewayContext,
  isWorker: boolean,
): Promise<MetricsServer | undefined> {
  const { metrics } = context.config;
  if (metrics === undefined) return undefined;
  const register = await createMetrics(context);
  if (!isWorker) return startMetricsServer(metrics, () => register.metrics());
  const { AggregatorRegistry } = await import('prom-client');
  AggregatorRegistry.setRegistries(register);
  // Makes this process answer the primary's question.
  new AggregatorRegistry();
  return undefined;
}

/** Serves Prometheus's text on a listener of its own, which an operator keeps from the public. */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 5000 }, (request, response) => {
    if (request.method !== 'GET' || request.url !== PATH) {
      response.writeHead(404).end();
      return;
    }
    read().then(
      text =>
        response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await orCannotListen(host, port, once(server.listen(port, host), 'listening'));
  return {
    url: `${boundUrl(server)}${PATH}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
