import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { ConfigError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { checkReloadable } from '../config/restart.js';
import { orListenFailed } from '../http/listen.js';
import { type Certificate, certificateFaults, checkRenewal, loadCertificate } from '../http/tls.js';
import type { GatewayLog } from '../monitoring/log.js';
import { type MetricsServer, startMetricsServer } from '../monitoring/metrics-server.js';
import type { Outcome } from './messages.js';
import { WorkerPool } from './pool.js';

interface WorkersOptions {
  /** Of this process; workers log at its level. */
  log: GatewayLog;
  /** Reads the configuration for a reload; throws ConfigError. */
  readConfig: () => Promise<GatewayConfig>;
}

/** A gateway in separate processes. */
export interface RunningGateway {
  url: string;
  /** The Prometheus endpoint, if configured. */
  metricsUrl?: string;
  /**
   * Reads the configuration and the certificate's files again; throws ConfigError and keeps the old ones if
   * they are unusable.
   */
  reload(): Promise<void>;
  /** Ends every process; running requests have ten seconds. */
  stop(): Promise<void>;
}

/** Starts `config.workers` processes that share one port; resolves when all listen. Throws ConfigError. */
export async function startWorkers(
  first: GatewayConfig,
  { log, readConfig }: WorkersOptions,
): Promise<RunningGateway> {
  const withPort = await choosePort(first);
  let config = withPort(first);
  // Shared, as a self-signed certificate would otherwise differ between connections.
  let certificate = await loadCertificate(config);
  const use = (next: GatewayConfig, served: Certificate | undefined) => {
    [config, certificate] = [next, served];
    const faults = served === undefined ? [] : certificateFaults(served, next);
    for (const fault of faults) log.logger.warn(fault);
  };
  use(config, certificate);
  let last: Promise<unknown> = Promise.resolve();
  const reload = () => {
    const reloaded = last.then(async () => {
      const next = withPort(await readConfig());
      checkReloadable(config, next);
      const nextCertificate = await loadCertificate(next);
      checkRenewal(nextCertificate, certificate);
      await pool.reload(next, nextCertificate, () => use(next, nextCertificate));
    });
    last = reloaded.catch(() => undefined);
    return reloaded;
  };
  const pool = new WorkerPool({
    count: config.workers,
    startCommand: () => ({ kind: 'start', config, certificate, logLevel: log.options.level }),
    reload,
    onError: log.onError,
    onLines: log.write,
  });
  let metrics: MetricsServer | undefined;
  try {
    const url = urlOf(await pool.start());
    pool.keep();
    metrics = config.metrics && (await startMetrics(config.metrics));
    const stop = async () => {
      await pool.stop();
      await metrics?.stop();
    };
    return { url, ...(metrics && { metricsUrl: metrics.url }), reload, stop };
  } catch (error) {
    await pool.stop();
    throw error;
  }
}

/**
 * Replaces the port 0 of a configuration by a free one. Node closes the socket that workers share with the last
 * of them: one that starts after that would listen on another port than the gateway has announced.
 */
async function choosePort({ listenHost, listenPort }: GatewayConfig) {
  if (listenPort !== 0) return (config: GatewayConfig) => config;
  const server = createServer().listen(0, listenHost);
  await orListenFailed(listenHost, 0, once(server, 'listening'));
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return (config: GatewayConfig) => (config.listenPort === 0 ? { ...config, listenPort: port } : config);
}

function urlOf(reports: readonly (Outcome | undefined)[]): string {
  const failed = reports.find(report => report?.kind !== 'ready');
  if (failed?.kind === 'failed' && failed.code !== undefined) {
    throw new ConfigError(failed.code, failed.message);
  }
  const [ready] = reports;
  if (reports.length === 0 || failed !== undefined || ready?.kind !== 'ready') {
    throw new Error('a worker failed to start');
  }
  return ready.url;
}

async function startMetrics(where: NonNullable<GatewayConfig['metrics']>): Promise<MetricsServer> {
  const { AggregatorRegistry } = await import('prom-client');
  const aggregator = new AggregatorRegistry();
  return startMetricsServer(where, () => aggregator.clusterMetrics());
}
