import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { NODE_ROLES } from '../base/node-address.js';
import { CACHE_RESULTS, type ImmutableCache } from '../cache/immutable-cache.js';
import type { RefusedConnections } from '../http/connections.js';
import type { KnownNode, NodeDirectory } from '../nodes/node-directory.js';
import type { AnsweredRequests } from './answered-requests.js';
import { READ_COUNTS, type Traffic } from './traffic.js';

const DAY_MS = 86_400_000;
const METHODS = ['GET', 'HEAD', 'POST'];
const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The counted parts of one gateway. */
export interface MetricsSources {
  answers: AnsweredRequests;
  nodes: Pick<NodeDirectory, 'nodes' | 'bestHeight'>;
  refused: Readonly<RefusedConnections>;
  traffic: Traffic;
  cache: Pick<ImmutableCache, 'reads' | 'bytes'>;
  /** In Unix milliseconds; undefined without TLS. */
  certificateEndMs(): number | undefined;
}

/**
 * Creates the gateway's metrics in a separate registry. Labels are registered routes, known methods, statuses
 * and roles, so that clients cannot add series.
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
    help: 'From a request to the end of its answer, without those that were asked to wait',
    labelNames: ['route'],
    buckets: DURATION_SECONDS,
    registers,
  });
  const limited = new prometheus.Counter({
    name: 'zbc_gateway_rate_limited_total',
    help: 'Requests that were answered 429',
    registers,
  });
  addConnectionMetric(prometheus, registers, sources.refused);
  addNodeMetrics(prometheus, registers, sources);
  addCacheMetrics(prometheus, registers, sources.cache);
  addCertificateMetric(prometheus, registers, sources.certificateEndMs);
  countAnswers(sources.answers, { requests, durations, limited });
  prometheus.collectDefaultMetrics({ register, prefix: 'zbc_gateway_' });
  return register;
}

interface AnswerMetrics {
  requests: Counter<'method' | 'route' | 'status'>;
  durations: Histogram<'route'>;
  limited: Counter;
}

function countAnswers(answers: AnsweredRequests, { requests, durations, limited }: AnswerMetrics): void {
  answers.listen(({ method, route, status, milliseconds, isTimed }) => {
    requests.inc({ method: METHODS.includes(method) ? method : 'other', route, status });
    if (isTimed) durations.observe({ route }, milliseconds / 1000);
    if (status === 429) limited.inc();
  });
}

function addConnectionMetric(
  prometheus: Prometheus,
  registers: Registry[],
  refused: MetricsSources['refused'],
): void {
  new prometheus.Counter({
    name: 'zbc_gateway_connections_refused_total',
    help: 'Connections that were closed as they arrived, by the limit that they were past',
    labelNames: ['limit'],
    registers,
    collect() {
      this.reset();
      for (const limit of ['all', 'client'] as const) this.inc({ limit }, refused[limit]);
    },
  });
}

function isBehind({ standing }: KnownNode): boolean {
  return standing !== 'in-step';
}

type Prometheus = typeof import('prom-client');

/** Metrics that are read from existing counters on each scrape. */
function addNodeMetrics(
  prometheus: Prometheus,
  registers: Registry[],
  { nodes, traffic }: MetricsSources,
): void {
  const perRole = (name: string, help: string, pick: 'requests' | 'failures') => {
    new prometheus.Counter({
      name,
      help,
      labelNames: ['role'],
      registers,
      collect() {
        this.reset();
        for (const role of NODE_ROLES) this.inc({ role }, traffic.counts().roles[role][pick]);
      },
    });
  };
  perRole('zbc_gateway_upstream_requests_total', 'Requests to nodes', 'requests');
  perRole('zbc_gateway_upstream_failures_total', 'Requests to nodes that failed', 'failures');
  new prometheus.Counter({
    name: 'zbc_gateway_reads_of_several_nodes_total',
    help: 'Reads that more than one node was asked at a time',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset();
      const { reads } = traffic.counts();
      for (const reason of READ_COUNTS) this.inc({ reason }, reads[reason]);
    },
  });
  const perNode = (name: string, help: string, isCounted: (node: KnownNode) => boolean): Gauge<'role'> =>
    new prometheus.Gauge({
      name,
      help,
      labelNames: ['role'],
      registers,
      // Every worker sees the same nodes.
      aggregator: 'max',
      collect() {
        for (const role of NODE_ROLES) {
          this.set({ role }, nodes.nodes().filter(node => node.role === role && isCounted(node)).length);
        }
      },
    });
  perNode('zbc_gateway_nodes_admitted', 'Nodes on the allowlist', () => true);
  perNode('zbc_gateway_nodes_routed', 'Nodes that requests go to', node => node.routed);
  perNode('zbc_gateway_nodes_cordoned', 'Nodes that were taken out', node => node.cordon !== undefined);
  perNode('zbc_gateway_nodes_broken', 'Nodes whose breaker is open', node => node.breaker.isOpen);
  perNode('zbc_gateway_nodes_behind', 'Nodes that are asked last or not at all', isBehind);
  new prometheus.Gauge({
    name: 'zbc_gateway_height',
    help: 'The greatest height that a node reported to which requests go, as far as it is believed',
    labelNames: ['role'],
    registers,
    aggregator: 'max',
    collect() {
      const best = Number(nodes.bestHeight() ?? Number.POSITIVE_INFINITY);
      for (const role of NODE_ROLES) {
        const heights = nodes
          .nodes()
          .filter(node => node.routed && node.role === role)
          .map(({ health }) => Number(health.height ?? 0n));
        this.set({ role }, Math.min(best, Math.max(0, ...heights)));
      }
    },
  });
}

function addCacheMetrics(
  prometheus: Prometheus,
  registers: Registry[],
  cache: MetricsSources['cache'],
): void {
  new prometheus.Counter({
    name: 'zbc_gateway_cache_reads_total',
    help: 'Reads whose answer may never change, by how they were answered',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset();
      for (const result of CACHE_RESULTS) this.inc({ result }, cache.reads[result]);
    },
  });
  new prometheus.Gauge({
    name: 'zbc_gateway_cache_bytes',
    help: 'Memory for answers that never change',
    registers,
    collect() {
      this.set(cache.bytes);
    },
  });
}

/** Has no value without TLS. */
function addCertificateMetric(
  prometheus: Prometheus,
  registers: Registry[],
  endMs: MetricsSources['certificateEndMs'],
): void {
  new prometheus.Gauge({
    name: 'zbc_gateway_certificate_days',
    help: 'Days until the certificate expires, negative afterwards',
    labelNames: [],
    registers,
    aggregator: 'min',
    collect() {
      const end = endMs();
      this.reset();
      if (end === undefined) this.remove();
      else this.set((end - Date.now()) / DAY_MS);
    },
  });
}
