import { resolve } from 'node:path';
import { UsageError } from '../../errors/errors.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT } from '../../input/config.js';
import { parsePort } from '../../input/values.js';
import { defineCommand } from '../../parser/command.js';

const DEFAULT_FILE = 'gateway.json';
/** Matches a domain name. An IP address does not match, because its last label is a number. */
const DOMAIN_NAME = /^(?:[a-z0-9-]+\.)*[a-z0-9-]*[a-z][a-z0-9-]*$/i;

/** The nodes of a development network, used by default. */
const DEVNET_NODES = [
  { url: `http://127.0.0.1:${DEVNET_NODE_PORT}`, role: 'full' },
  { url: `http://127.0.0.1:${DEVNET_ARCHIVAL_PORT}`, role: 'archival' },
];

const NODE_OPTIONS = {
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
} as const;

/** The command never prints the key, because output remains in logs and in the terminal's history. */
export const command = defineCommand({
  arguments: {
    file: {
      describe: `file to write, which must not exist yet [${DEFAULT_FILE}]`,
    },
  },
  options: {
    host: {
      describe: 'domain name that clients connect to [localhost]',
    },
    ...NODE_OPTIONS,
    'listen-port': { describe: 'port to listen on [8883]' },
  },
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

interface Arguments {
  host?: string | undefined;
  fullNode?: readonly string[] | undefined;
  archivalNode?: readonly string[] | undefined;
  listenPort?: string | undefined;
}

function fieldsOf(
  { host = 'localhost', listenPort, ...options }: Arguments,
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
