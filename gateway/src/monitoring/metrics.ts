import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Counter, Gauge, Registry } from 'prom-client';
import { NODE_ROLES, type NodeRole } from '../base/node-address.js';
import type { RefusedConnections } from '../http/connections.js';
import { boundUrl, orListenFailed } from '../http/listen.js';
import type { KnownNode } from '../nodes/known-node.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import type { AnsweredRequests } from './answered-requests.js';
import { labelOf, type Traffic } from './traffic.js';

const DAY_MS = 86_400_000;
const METHODS = ['GET', 'HEAD', 'POST'];
const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const PATH = '/metrics';
/** Above this number, the oldest connection is closed, so that silent connections never keep a scraper out. */
const MAX_CONNECTIONS = 64;

/** Sources of one gateway's metrics. */
interface MetricsSources {
  answers: AnsweredRequests;
  refused: Readonly<RefusedConnections>;
  traffic: Traffic;
  directory: Pick<NodeDirectory, 'nodes' | 'bestHeight'>;
  /** Expiry of the certificate in Unix milliseconds; undefined without TLS. */
  certificateEndMs(): number | undefined;
}

type Values = readonly (readonly [labels: Record<string, string>, value: number])[];

/**
 * Creates the gateway's metrics in a registry of their own. Labels are registered routes, known methods,
 * statuses and roles, so that clients cannot add time series.
 */
export async function createMetrics(sources: MetricsSources): Promise<Registry> {
  const { answers, refused, traffic, directory, certificateEndMs } = sources;
  const prometheus = await import('prom-client');
  const register = new prometheus.Registry();
  const registers = [register];
  const requests = new prometheus.Counter({
    name: 'zbc_gateway_requests_total',
    help: 'Requests that were answered',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new prometheus.Histogram({
    name: 'zbc_gateway_request_duration_seconds',
    help: 'Time from request to end of answer; excludes requests with wait_ms and status 499',
    labelNames: ['route'],
    buckets: DURATION_SECONDS,
    registers,
  });
  answers.listen(({ method, route, status, milliseconds, isTimed }) => {
    requests.inc({ method: METHODS.includes(method) ? method : 'other', route, status });
    if (isTimed) durations.observe({ route }, milliseconds / 1000);
  });

  /** Adds a metric whose values are read on each scrape. */
  const add = (
    kind: 'Counter' | 'Gauge',
    name: string,
    help: string,
    labelNames: string[],
    read: () => Values,
  ) =>
    new prometheus[kind]({
      name: `zbc_gateway_${name}`,
      help,
      labelNames,
      registers,
      collect(this: Counter | Gauge) {
        this.reset();
        // A metric without a label has at most one value.
        if (labelNames.length === 0) this.remove();
        for (const [labels, value] of read()) this.inc(labels, value);
      },
    });
  const perRole = (name: string, help: string, read: (nodes: KnownNode[]) => number) => {
    const ofRole = (role: NodeRole) => directory.nodes().filter(node => node.role === role);
    add('Gauge', name, help, ['role'], () => NODE_ROLES.map(role => [{ role }, read(ofRole(role))]));
  };
  const perNode = (name: string, help: string, read: (node: KnownNode) => number) =>
    add('Gauge', name, help, ['node'], () => {
      const sums = new Map<string, number>();
      for (const node of directory.nodes()) {
        sums.set(labelOf(node), (sums.get(labelOf(node)) ?? 0) + read(node));
      }
      return [...sums].map(([node, sum]) => [{ node }, sum]);
    });
  const isRouted = ({ routed }: KnownNode) => routed;

  add(
    'Counter',
    'connections_refused_total',
    'Connections closed on arrival, by the limit exceeded',
    ['limit'],
    () => Object.entries(refused).map(([limit, count]) => [{ limit }, count]),
  );
  add('Counter', 'node_requests_total', 'Requests to nodes, by what came of them', ['node', 'result'], () =>
    traffic.results().map(({ node, result, count }) => [{ node, result }, count]),
  );
  perNode('node_up', 'Whether requests go to the node; of registered nodes, how many', node =>
    Number(node.routed),
  );
  perNode('node_behind', 'Blocks behind the best node; of registered nodes, all together', node =>
    Number(node.behind),
  );
  perNode('node_other_fork', 'Whether the node is on another fork and gets no requests', node =>
    Number(node.fork !== undefined),
  );
  perRole('nodes_admitted', 'Nodes on the allowlist', nodes => nodes.length);
  perRole('nodes_routed', 'Nodes that requests go to', nodes => nodes.filter(isRouted).length);
  perRole('height', 'Highest credible height that a routed node reported', nodes => {
    const heights = nodes.filter(isRouted).map(({ health }) => Number(health.height ?? 0n));
    return Math.min(Number(directory.bestHeight() ?? Number.POSITIVE_INFINITY), Math.max(0, ...heights));
  });
  add('Gauge', 'certificate_days', 'Days until the certificate expires, negative afterwards', [], () => {
    const endMs = certificateEndMs();
    return endMs === undefined ? [] : [[{}, (endMs - Date.now()) / DAY_MS]];
  });
  prometheus.collectDefaultMetrics({ register, prefix: 'zbc_gateway_' });
  return register;
}

/** Serves metrics in Prometheus's text format on a separate listener, which should not be public. */
export async function startMetricsServer(
  { host, port }: { host: string; port: number },
  registry: { metrics(): Promise<string> },
): Promise<{ url: string; stop(): Promise<void> }> {
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
