import type { Counter, Gauge, Registry } from 'prom-client';
import { NODE_ROLES, type NodeRole } from '../base/node-address.js';
import type { ImmutableCache } from '../cache/immutable-cache.js';
import type { RefusedConnections } from '../http/connections.js';
import type { KnownNode, NodeDirectory } from '../nodes/node-directory.js';
import type { AnsweredRequests } from './answered-requests.js';
import type { Traffic } from './traffic.js';

const DAY_MS = 86_400_000;
const METHODS = ['GET', 'HEAD', 'POST'];
const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Sources of one gateway's metrics. */
export interface MetricsSources {
  answers: AnsweredRequests;
  refused: Readonly<RefusedConnections>;
  traffic: Traffic;
  /** The parts of the configuration in force. */
  current(): {
    nodes: Pick<NodeDirectory, 'nodes' | 'bestHeight'>;
    cache: Pick<ImmutableCache, 'reads' | 'bytes'>;
  };
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
    help: 'Time from request to end of answer; excludes streams, requests with wait_ms, and status 499',
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
  for (const { kind, name, help, label, values } of readMetrics(sources)) {
    const Metric = prometheus[kind];
    new Metric({
      name: `zbc_gateway_${name}`,
      help,
      labelNames: label === undefined ? [] : [label],
      registers,
      collect(this: Counter | Gauge) {
        this.reset();
        const read = values();
        // A metric without a label has at most one value.
        if (label === undefined) this.remove();
        for (const [value, number] of Object.entries(read)) {
          this.inc(label === undefined ? {} : { [label]: value }, number);
        }
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
  label?: string;
  /** Values by label. */
  values(): Readonly<Record<string, number>>;
}

function readMetrics({ current, traffic, refused, certificateEndMs }: MetricsSources): readonly ReadMetric[] {
  const perRole = (
    kind: ReadMetric['kind'],
    name: string,
    help: string,
    read: (role: NodeRole) => number,
  ) => ({
    kind,
    name,
    help,
    label: 'role',
    values: () => Object.fromEntries(NODE_ROLES.map(role => [role, read(role)])),
  });
  const of = (count: 'requests' | 'failures') => (role: NodeRole) => traffic.counts().roles[role][count];
  const perNode = (name: string, help: string, isCounted: (node: KnownNode) => boolean) =>
    perRole('Gauge', name, help, role => {
      const ofRole = current()
        .nodes.nodes()
        .filter(node => node.role === role);
      return ofRole.filter(isCounted).length;
    });
  const height = (role: NodeRole) => {
    const { nodes } = current();
    const best = Number(nodes.bestHeight() ?? Number.POSITIVE_INFINITY);
    const routed = nodes.nodes().filter(node => node.routed && node.role === role);
    return Math.min(best, Math.max(0, ...routed.map(({ health }) => Number(health.height ?? 0n))));
  };
  return [
    {
      kind: 'Counter',
      name: 'connections_refused_total',
      help: 'Connections closed on arrival, by the limit exceeded',
      label: 'limit',
      values: () => ({ ...refused }),
    },
    perRole('Counter', 'upstream_requests_total', 'Requests to nodes', of('requests')),
    perRole('Counter', 'upstream_failures_total', 'Failed requests to nodes', of('failures')),
    {
      kind: 'Counter',
      name: 'reads_of_several_nodes_total',
      help: 'Reads that were sent to a second node because the first was slow',
      label: 'reason',
      values: () => ({ hedged: traffic.counts().hedged }),
    },
    perNode('nodes_admitted', 'Nodes on the allowlist', () => true),
    perNode('nodes_routed', 'Nodes that requests go to', node => node.routed),
    perNode('nodes_cordoned', 'Nodes that an administrator has cordoned', node => node.isCordoned),
    perNode('nodes_broken', 'Nodes whose circuit breaker is open', node => node.breaker.isOpen),
    perNode(
      'nodes_behind',
      'Nodes that are asked last or not at all because they lag',
      ({ standing }) => standing !== 'in-step',
    ),
    perRole('Gauge', 'height', 'Highest credible height that a routed node reported', height),
    {
      kind: 'Counter',
      name: 'cache_reads_total',
      help: 'Reads whose answer can be cached, by result',
      label: 'result',
      values: () => ({ ...current().cache.reads }),
    },
    {
      kind: 'Gauge',
      name: 'cache_bytes',
      help: 'Memory that the cache of immutable answers uses, in bytes',
      values: () => ({ all: current().cache.bytes }),
    },
    {
      kind: 'Gauge',
      name: 'certificate_days',
      help: 'Days until the certificate expires, negative afterwards',
      values: () => {
        const endMs = certificateEndMs();
        return endMs === undefined ? {} : { all: (endMs - Date.now()) / DAY_MS };
      },
    },
  ] satisfies ReadMetric[];
}
