import type { Gateway, GatewayConfig, GatewayLog } from '@zbc-signer/gateway';
import { portInUseError, UsageError } from '../../errors/errors.js';
import { formatJsonLine } from '../../output/json.js';
import { defineCommand } from '../../parser/command.js';

// The options are not global: they belong to this command and not to its subcommands.
export const command = defineCommand({
  options: {
    config: {
      describe: 'path of the configuration, such as gateway.json',
    },
    'log-level': {
      choices: ['debug', 'info', 'warn', 'error', 'silent'] as const,
      describe: 'level of the JSON log on stderr; info includes every request [info]',
    },
  },
  examples: [
    ['$0 gateway init', 'write gateway.json, for the two nodes of node run'],
    ['$0 gateway --config gateway.json', 'run the gateway'],
  ],

  async run({ config: path, logLevel = 'info' }, terminal) {
    if (path === undefined) {
      throw new UsageError(
        '--config is missing: the path of the configuration, such as gateway.json',
        '`zbc-signer gateway init` writes a configuration.',
      );
    }
    const { loadGatewayConfig, openLog, startGateway } = await import('@zbc-signer/gateway');
    const { WALLET_DIRECTORY: walletDirectory } = await import('@zbc-signer/wallet');
    const { config, warnings } = await loadGatewayConfig(path);
    const log = openLog(logLevel);
    for (const warning of warnings) log.logger.warn(warning);
    const options = { onError: log.onError, logger: log.options, walletDirectory };
    const gateway = await startGateway(config, options).catch(error => {
      throw explainTakenPort(error, config, path);
    });
    const onHangUp = () => void renewCertificate(gateway, log);
    process.on('SIGHUP', onHangUp);
    process.stdout.write(`${describe(gateway, config, terminal.json)}\n`);
    await terminal.interrupted();
    log.logger.info('stopping');
    await gateway.stop();
    process.off('SIGHUP', onHangUp);
    await log.close();
    return undefined;
  },
});

/** Converts the error for a taken port to one that names its setting; returns any other error unchanged. */
function explainTakenPort(error: unknown, { listenPort, metrics }: GatewayConfig, path: string): unknown {
  const { message, cause } = Object(error) as { message?: string; cause?: unknown };
  const { code, port } = Object(cause) as { code?: unknown; port?: unknown };
  if (code !== 'EADDRINUSE') return error;
  const setting = port === metrics?.port ? 'metrics_listen' : 'listen';
  return portInUseError(Number(port ?? listenPort), `Change ${setting} in ${path}.`, message);
}

async function renewCertificate(gateway: Gateway, { logger }: GatewayLog): Promise<void> {
  try {
    await gateway.renewCertificate();
    logger.info('certificate read again');
  } catch (error) {
    const { message } = Object(error) as { message?: string };
    logger.error(`certificate not read again, the previous one stays in use: ${message}`);
  }
}

function describe({ url, metricsUrl }: Gateway, config: GatewayConfig, json: boolean): string {
  // The certificate is for this name, and not for the address.
  const pages = config.tls === undefined ? url : url.replace(/[^/]*(?=:\d+$)/, config.gatewayHost);
  if (json) return formatJsonLine({ ready: true, url, ...(metricsUrl && { metrics_url: metricsUrl }) });
  return [
    `Gateway     ${url}`,
    `Admin page  ${pages}/admin`,
    ...(config.wallet ? [`Wallet      ${pages}/wallet/`] : []),
    ...(metricsUrl === undefined ? [] : [`Metrics     ${metricsUrl}`]),
    'Ready. Ctrl-C stops it.',
  ].join('\n');
}
