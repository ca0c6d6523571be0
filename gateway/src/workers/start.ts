import { ConfigError } from '../base/errors.js';
import type { GatewayConfig } from '../config/config.js';
import { loadCertificate } from '../http/tls.js';
import type { LogLevel } from '../monitoring/log.js';
import { type MetricsServer, startMetricsServer } from '../monitoring/metrics-server.js';
import type { Outcome } from './messages.js';
import { WorkerPool } from './pool.js';

interface WorkersOptions {
  logLevel: LogLevel;
  onError: (error: Error) => void;
}

/** A gateway in separate processes. */
export interface RunningGateway {
  url: string;
  /** The Prometheus endpoint, if configured. */
  metricsUrl?: string;
  /** Reloads the certificate's files; throws ConfigError and keeps the old one if they are unusable. */
  renewCertificate(): Promise<void>;
  /** Ends every process; running requests have ten seconds. */
  stop(): Promise<void>;
}

/** Starts `config.workers` processes that share one port; resolves when all listen. Throws ConfigError. */
export async function startWorkers(config: GatewayConfig, options: WorkersOptions): Promise<RunningGateway> {
  // Shared, as a self-signed certificate would otherwise differ between connections.
  let certificate = await loadCertificate(config);
  const pool = new WorkerPool({
    count: config.workers,
    startCommand: () => ({ kind: 'start', config, certificate, logLevel: options.logLevel }),
    onError: options.onError,
  });
  let metrics: MetricsServer | undefined;
  try {
    const url = urlOf(await pool.start());
    pool.keep();
    metrics = config.metrics && (await startMetrics(config.metrics));
    const renewCertificate = async () => {
      certificate = await loadCertificate(config);
      if (certificate !== undefined) pool.send({ kind: 'renew', certificate });
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
    throw new Error('a worker failed to start');
  }
  return ready.url;
}

async function startMetrics(where: NonNullable<GatewayConfig['metrics']>): Promise<MetricsServer> {
  const { AggregatorRegistry } = await import('prom-client');
  const aggregator = new AggregatorRegistry();
  return startMetricsServer(where, () => aggregator.clusterMetrics());
}
