import { resolve } from 'node:path';
import type { Gateway, GatewayConfig, GatewayLog } from '@zbc-signer/gateway';
import { GatewayUnreachableError } from '@zbc-signer/host';
import { portInUseError, UsageError } from '../errors/errors.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT } from '../input/config.js';
import { parsePort } from '../input/values.js';
import { formatJsonLine } from '../output/json.js';
import { defineCommand, type Given } from '../parser/command.js';

// The options are not global: they belong to this command and not to its subcommands.
const gatewayCommand = defineCommand({
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

const DEFAULT_FILE = 'gateway.json';
/** Matches a domain name. An IP address does not match, because its last label is a number. */
const DOMAIN_NAME = /^(?:[a-z0-9-]+\.)*[a-z0-9-]*[a-z][a-z0-9-]*$/i;

/** The nodes of a development network, used by default. */
const DEVNET_NODES = [
  { url: `http://127.0.0.1:${DEVNET_NODE_PORT}`, role: 'full' },
  { url: `http://127.0.0.1:${DEVNET_ARCHIVAL_PORT}`, role: 'archival' },
];

const INIT_OPTIONS = {
  host: {
    describe: 'domain name that clients connect to [localhost]',
  },
  'full-node': {
    array: true,
    nargs: 1,
    describe: `HOST:PORT of a full node; may be repeated [127.0.0.1:${DEVNET_NODE_PORT}]`,
  },
  'archival-node': {
    array: true,
    nargs: 1,
    describe: `HOST:PORT of an archival node; may be repeated [127.0.0.1:${DEVNET_ARCHIVAL_PORT}]`,
  },
  'listen-port': { describe: 'port to listen on [8883]' },
} as const;

/** The command never prints the key, because output remains in logs and in the terminal's history. */
const init = defineCommand({
  arguments: {
    file: {
      describe: `file to write, which must not exist yet [${DEFAULT_FILE}]`,
    },
  },
  options: INIT_OPTIONS,
  examples: [
    [
      '$0 gateway init --host gateway.example --full-node 192.0.2.10:8884 --archival-node 192.0.2.11:8885',
      'the key is written to the file and not shown',
    ],
    ['$0 gateway init --listen-port 8886', 'a second gateway for the nodes of devnet'],
  ],

  async run({ file = DEFAULT_FILE, ...options }) {
    const { initGatewayConfig, parseNodeUrl, readGenesisHash } = await import('@zbc-signer/gateway');
    const fields = fieldsOf(options, url => parseNodeUrl(url) !== undefined);
    const genesis = await readGenesisHash(fields.static_nodes.map(({ url }) => url));
    await initGatewayConfig(file, { ...fields, ...(genesis !== undefined && { genesis_hash: genesis }) });
    const chain =
      genesis === undefined
        ? 'Fewer than half of the nodes report the same chain: add the genesis_hash of your chain to the file.'
        : `genesis_hash is the hash that the nodes report, ${genesis}: compare it with the genesis hash of your chain.`;
    const next = `zbc-signer gateway --config ${quoteForShell(file)}`;
    return {
      json: {
        config: resolve(file),
        ...(genesis !== undefined && { genesis_hash: genesis }),
        hint: chain,
        next,
      },
      text: `Wrote ${file}, which only you can read; its admin_api_key is the admin key.\n${chain}\nNext: ${next}`,
    };
  },
});

function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function fieldsOf(
  { host = 'localhost', listenPort, ...options }: Given<typeof INIT_OPTIONS>,
  isUrl: (url: string) => boolean,
) {
  if (!DOMAIN_NAME.test(host)) {
    throw new UsageError(
      '--host must be a domain name, such as gateway.example, without scheme or port',
      'Node hostnames are subdomains of this name. If clients also use an IP address, add the address to other_hosts in the file.',
    );
  }
  const nodes = [
    ...parseNodes('--full-node', options.fullNode, 'full', isUrl),
    ...parseNodes('--archival-node', options.archivalNode, 'archival', isUrl),
  ];
  return {
    gateway_host: host,
    ...(listenPort !== undefined && { listen: `127.0.0.1:${parsePort('--listen-port', listenPort)}` }),
    static_nodes: nodes.length === 0 ? DEVNET_NODES : nodes,
  };
}

function parseNodes(
  option: string,
  values: readonly string[] = [],
  role: string,
  isUrl: (url: string) => boolean,
) {
  return values.map(value => {
    const url = `http://${value}`;
    if (!/:\d+$/.test(value) || !isUrl(url)) {
      throw new UsageError(
        `${option} must be HOST:PORT of a node's API, such as 192.0.2.10:8884, node1.internal:8884 or [::1]:8884`,
      );
    }
    return { url, role };
  });
}

/** Used before a start, and by the health check of the container. */
const check = defineCommand({
  options: {
    config: { demandOption: true, describe: 'path of the configuration, such as gateway.json' },
    'config-only': {
      type: 'boolean',
      describe: 'check only the file and those that it names, before a start; do not ask the running gateway',
    },
  },
  examples: [
    ['$0 gateway check --config gateway.json', 'exit 0 if the file is valid and its gateway answers'],
    ['$0 gateway check --config gateway.json --config-only', 'before a start or a restart'],
  ],

  async run({ config: path, configOnly = false }) {
    const { checkFiles, checkGateway, loadGatewayConfig } = await import('@zbc-signer/gateway');
    const { config, warnings: own } = await loadGatewayConfig(path);
    const warnings = [...own, ...(await checkFiles(config))];
    const text = [...warnings.map(warning => `Warning: ${warning}`), `${path} is valid.`];
    if (configOnly) return { json: { valid: true, warnings }, text: text.join('\n') };
    const url = await checkGateway(config).catch(error => {
      throw new GatewayUnreachableError(`port ${config.listenPort}`, Object(error).message, error, false);
    });
    return { json: { valid: true, warnings, url }, text: [...text, `${url} answers.`].join('\n') };
  },
});

export const commands = { gateway: gatewayCommand, init, check };
