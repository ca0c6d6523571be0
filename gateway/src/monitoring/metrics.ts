import type { FastifyRequest } from 'fastify';
import type { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { GatewayContext } from '../gateway-context.js';
import { NODE_ROLES } from '../upstream/node-address.js';
import type { AnsweredRequests } from './answered-requests.js';

const METHODS = ['GET', 'HEAD', 'POST'];
const DURATION_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Context = Pick<GatewayContext, 'answers' | 'nodes' | 'traffic'>;

/**
 * Counts what a gateway answers, in a registry of its own. Labels are routes as they were registered, known methods, statuses
 * and roles: a client can add no series.
 */
export async function createMetrics(context: Context): Promise<Registry> {
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
    help: 'From a request to the end of its answer',
    labelNames: ['route'],
    buckets: DURATION_SECONDS,
    registers,
  });
  const limited = new prometheus.Counter({
    name: 'zbc_gateway_rate_limited_total',
    help: 'Requests that were answered 429',
    registers,
  });
  addNodeMetrics(prometheus, registers, context);
  countAnswers(context.answers, { requests, durations, limited });
  prometheus.collectDefaultMetrics({ register, prefix: 'zbc_gateway_' });
  return register;
}

interface AnswerMetrics {
  requests: Counter<'method' | 'route' | 'status'>;
  durations: Histogram<'route'>;
  limited: Counter;
}

function countAnswers(answers: AnsweredRequests, { requests, durations, limited }: AnswerMetrics): void {
  answers.listen(({ request, status, milliseconds }) => {
    const route = routeOf(request);
    const method = METHODS.includes(request.method) ? request.method : 'other';
    requests.inc({ method, route, status });
    durations.observe({ route }, milliseconds / 1000);
    if (status === 429) limited.inc();
  });
}

/** As it was registered, with its parameters' names. */
function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
}

type Prometheus = typeof import('prom-client');

/** Read from what the gateway counts anyway, when somebody asks. */
function addNodeMetrics(prometheus: Prometheus, registers: Registry[], { nodes, traffic }: Context): void {
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
  const perNode = (name: string, help: string, isCounted: (node: Known) => boolean): Gauge<'role'> =>
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
  perNode('zbc_gateway_nodes_routed', 'Nodes that answer on the agreed chain', node => node.routed);
}

type Known = ReturnType<GatewayContext['nodes']['nodes']>[number];
