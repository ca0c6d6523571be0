import { once } from 'node:events';
import { createServer } from 'node:http';
import type { GatewayConfig } from '../config/config.js';
import { boundUrl, orListenFailed } from '../http/listen.js';
import { createMetrics, type MetricsSources } from './metrics.js';

const PATH = '/metrics';
const MAX_CONNECTIONS = 64;

export interface MetricsServer {
  url: string;
  stop(): Promise<void>;
}

/** Collects metrics if configured; in a worker the primary serves them. */
export async function publishMetrics(
  metrics: GatewayConfig['metrics'],
  sources: MetricsSources,
  isWorker: boolean,
): Promise<MetricsServer | undefined> {
  if (metrics === undefined) return undefined;
  const register = await createMetrics(sources);
  if (!isWorker) return startMetricsServer(metrics, () => register.metrics());
  const { AggregatorRegistry } = await import('prom-client');
  AggregatorRegistry.setRegistries(register);
  // Makes this worker answer the primary's requests for metrics.
  new AggregatorRegistry();
  return undefined;
}

/** Serves metrics in Prometheus's text format on a separate listener, which should not be public. */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: 5000, headersTimeout: 5000 }, (request, response) => {
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
