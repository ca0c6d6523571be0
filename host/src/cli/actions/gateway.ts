import type { GatewayConfig } from '../../../../gateway/src/config/config.js';
import { loadGatewayConfig } from '../../../../gateway/src/config/load.js';
import { startGateway } from '../../../../gateway/src/gateway.js';
import { type GatewayLog, type LogLevel, openLog } from '../../../../gateway/src/monitoring/log.js';
import { type RunningGateway, startWorkers } from '../../../../gateway/src/workers/start.js';
import { UsageError } from '../errors.js';
import type { Terminal } from '../terminal.js';

interface GatewayOptions {
  config?: string | undefined;
  logLevel?: LogLevel | undefined;
}

export async function runGateway(options: GatewayOptions, terminal: Terminal): Promise<undefined> {
  const { config: path, logLevel = 'info' } = options;
  if (path === undefined) {
    throw new UsageError(
      'say which configuration: zbc-signer gateway --config gateway.json',
      'zbc-signer gateway init writes one.',
    );
  }
  const { config, warnings } = await loadGatewayConfig(path);
  const log = openLog(logLevel);
  for (const warning of warnings) log.logger.warn(warning);
  const gateway = await start(config, logLevel, log);
  const renew = () => void renewCertificate(gateway, log);
  process.on('SIGHUP', renew);
  process.stdout.write(`${describe(gateway, config, terminal.json)}\n`);
  await terminal.interrupted();
  log.logger.info('stopping');
  await gateway.stop();
  process.off('SIGHUP', renew);
}

function start(
  config: GatewayConfig,
  logLevel: LogLevel,
  { onError, options }: GatewayLog,
): Promise<RunningGateway> {
  return config.workers > 1
    ? startWorkers(config, { logLevel, onError })
    : startGateway(config, { onError, logger: options });
}

async function renewCertificate(gateway: RunningGateway, { logger, onError }: GatewayLog): Promise<void> {
  try {
    await gateway.renewCertificate();
    logger.info('the certificate was read again');
  } catch (error) {
    onError(error instanceof Error ? error : new Error(String(error)));
  }
}

function describe({ url, metricsUrl }: RunningGateway, { workers }: GatewayConfig, json: boolean): string {
  if (json) {
    return JSON.stringify({ ready: true, url, workers, ...(metricsUrl && { metrics_url: metricsUrl }) });
  }
  return [
    `Gateway     ${url}`,
    `Admin page  ${url}/admin`,
    ...(metricsUrl === undefined ? [] : [`Metrics     ${metricsUrl}`]),
    'Ready. Ctrl-C stops it.',
  ].join('\n');
}
