import type { Counter, Gauge, Registry } from 'prom-client';
import { NODE_ROLES, type NodeRole } from '../base/node-address.js';
import type { RefusedConnections } from '../http/connections.js';
import type { KnownNode } from '../nodes/known-node.js';
import type { NodeDirectory } from '../nodes/node-directory.js';
import type { AnsweredRequests } from './answered-requests.js';
import { labelOf, type Traffic } from './traffic.js';

const DAY_MS = 86_400_000;
const METHODS = ['GET', 'HEAD', 'POST'];
const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Sources of one gateway's metrics. */
export interface MetricsSources {
  answers: AnsweredRequests;
  refused: Readonly<RefusedConnections>;
  traffic: Traffic;
  directory: Pick<NodeDirectory, 'nodes' | 'bestHeight'>;
  /** Expiry of the certificate in Unix milliseconds; undefined without TLS. */
  certificateEndMs(): number | undefined;
}

/**
 * Creates the gateway's metrics in a registry of their own. Labels are registered routes, known methods,
 * statuses and roles, so that clients cannot add time series.
 */
export async function createMetrics(sources: MetricsSources): Promise<Registry> {
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
  const limited = new prometheus.Counter({
    name: 'zbc_gateway_rate_limited_total',
    help: 'Requests that were answered 429',
    registers,
  });
  sources.answers.listen(({ method, route, status, milliseconds, isTimed }) => {
    requests.inc({ method: METHODS.includes(method) ? method : 'other', route, status });
    if (isTimed) durations.observe({ route }, milliseconds / 1000);
    if (status === 429) limited.inc();
  });
  for (const { kind, name, help, labels = [], values } of readMetrics(sources)) {
    const Metric = prometheus[kind];
    new Metric({
      name: `zbc_gateway_${name}`,
      help,
      labelNames: [...labels],
      registers,
      collect(this: Counter | Gauge) {
        this.reset();
        // A metric without a label has at most one value.
        if (labels.length === 0) this.remove();
        for (const [value, number] of values()) this.inc(value, number);
      },
    });
  }
  prometheus.collectDefaultMetrics({ register, prefix: 'zbc_gateway_' });
  return register;
}

/** A metric whose values are read on each scrape. */
interface ReadMetric {
  kind: 'Counter' | 'Gauge';
  /** Name without the prefix `zbc_gateway_`. */
  name: string;
  help: string;
  labels?: readonly string[];
  values(): readonly (readonly [labels: Record<string, string>, value: number])[];
}

function readMetrics({
  directory,
  traffic,
  refused,
  certificateEndMs,
}: MetricsSources): readonly ReadMetric[] {
  const perRole = (name: string, help: string, read: (role: NodeRole) => number): ReadMetric => ({
    kind: 'Gauge',
    name,
    help,
    labels: ['role'],
    values: () => NODE_ROLES.map(role => [{ role }, read(role)] as const),
  });
  const countOf = (name: string, help: string, isCounted: (node: KnownNode) => boolean) =>
    perRole(
      name,
      help,
      role => directory.nodes().filter(node => node.role === role && isCounted(node)).length,
    );
  const perNode = (name: string, help: string, read: (node: KnownNode) => number): ReadMetric => ({
    kind: 'Gauge',
    name,
    help,
    labels: ['node'],
    values: () => {
      const sums = new Map<string, number>();
      for (const node of directory.nodes()) {
        sums.set(labelOf(node), (sums.get(labelOf(node)) ?? 0) + read(node));
      }
      return [...sums].map(([node, sum]) => [{ node }, sum] as const);
    },
  });
  const height = (role: NodeRole) => {
    const best = Number(directory.bestHeight() ?? Number.POSITIVE_INFINITY);
    const routed = directory.nodes().filter(node => node.routed && node.role === role);
    return Math.min(best, Math.max(0, ...routed.map(({ health }) => Number(health.height ?? 0n))));
  };
  return [
    {
      kind: 'Counter',
      name: 'connections_refused_total',
      help: 'Connections closed on arrival, by the limit exceeded',
      labels: ['limit'],
      values: () => Object.entries(refused).map(([limit, count]) => [{ limit }, count] as const),
    },
    {
      kind: 'Counter',
      name: 'node_requests_total',
      help: 'Requests to nodes, by what came of them',
      labels: ['node', 'result'],
      values: () => traffic.results().map(({ node, result, count }) => [{ node, result }, count] as const),
    },
    perNode('node_up', 'Whether requests go to the node; of registered nodes, how many', node =>
      Number(node.routed),
    ),
    perNode('node_behind', 'Blocks behind the best node; of registered nodes, all together', node =>
      Number(node.behind),
    ),
    perNode('node_other_fork', 'Whether the node is on another fork and gets no requests', node =>
      Number(node.fork !== undefined),
    ),
    countOf('nodes_admitted', 'Nodes on the allowlist', () => true),
    countOf('nodes_routed', 'Nodes that requests go to', node => node.routed),
    perRole('height', 'Highest credible height that a routed node reported', height),
    {
      kind: 'Gauge',
      name: 'certificate_days',
      help: 'Days until the certificate expires, negative afterwards',
      values: () => {
        const endMs = certificateEndMs();
        return endMs === undefined ? [] : [[{}, (endMs - Date.now()) / DAY_MS]];
      },
    },
  ] satisfies ReadMetric[];
}
