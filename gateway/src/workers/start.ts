import { ConfigError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { checkReloadable } from '../config/restart.js';
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
  let config = first;
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
      const next = await readConfig();
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
