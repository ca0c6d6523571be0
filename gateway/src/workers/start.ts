import type { GatewayConfig } from '../config/config.js';
import { ConfigError } from '../errors.js';
import { loadCertificate } from '../http/tls.js';
import type { LogLevel } from '../monitoring/log.js';
import { type MetricsServer, startMetricsServer } from '../monitoring/metrics-server.js';
import type { Outcome } from './messages.js';
import { WorkerPool } from './pool.js';

export interface WorkersOptions {
  logLevel: LogLevel;
  onError: (error: Error) => void;
}

export interface RunningGateway {
  url: string;
  /** Where Prometheus reads, when the configuration says so. */
  metricsUrl?: string;
  /** Reads the certificate's files again; throws ConfigError and keeps the old one when they cannot be used. */
  renewCertificate(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts `config.workers` processes that share one port, and resolves when all of them listen; throws ConfigError. */
export async function startWorkers(config: GatewayConfig, options: WorkersOptions): Promise<RunningGateway> {
  // One for all of them: a client would meet another at each connection.
  let certificate = await loadCertificate(config);
  const pool = new WorkerPool({
    count: config.workers,
    startOrder: () => ({ kind: 'start', config, certificate, logLevel: options.logLevel }),
    onError: options.onError,
  });
  let metrics: MetricsServer | undefined;
  try {
    const url = urlOf(await pool.start());
    pool.keep();
    metrics = config.metrics && (await startMetrics(config.metrics));
    const renewCertificate = async () => {
      certificate = await loadCertificate(config);
      if (certificate !== undefined) pool.tell({ kind: 'renew', certificate });
    };
    const stop = async () => {
      await pool.stop();
      await metrics?.stop();
    };
    return { url, ...(metrics && { metricsUrl: metrics.url }), renewCertificate, stop };
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
    throw new Error('a worker could not start');
  }
  return ready.url;
}

async function startMetrics(where: NonNullable<GatewayConfig['metrics']>): Promise<MetricsServer> {
  const { AggregatorRegistry } = await import('prom-client');
  const aggregator = new AggregatorRegistry();
  return startMetricsServer(where, () => aggregator.clusterMetrics());
}
