import type { RunningNode } from '@zbc-signer/devnet';
import { explainListenError, UsageError } from '../errors/errors.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT } from '../input/config.js';
import { parseBlockTimeMs, parseFeeScale } from '../input/network.js';
import { parsePort } from '../input/values.js';
import { formatJsonLine } from '../output/json.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand, type Given } from '../parser/command.js';
import { CHAIN_OPTIONS } from '../parser/options.js';

const DEFAULT_FOLLOWED = `http://127.0.0.1:${DEVNET_NODE_PORT}`;

const OPTIONS = {
  archival: { type: 'boolean', describe: 'run an archival node, which follows a full node' },
  follow: {
    describe: `URL of the full node to follow; makes a full node a second one [archival node ${DEFAULT_FOLLOWED}]`,
  },
  port: {
    describe: `port to listen on; 0 picks a free one [${DEVNET_NODE_PORT}, archival node ${DEVNET_ARCHIVAL_PORT}]`,
  },
  host: { describe: 'address to listen on [127.0.0.1]' },
  data: {
    describe: 'directory in which the chain is stored [a temporary one, removed at the end]',
  },
  ...CHAIN_OPTIONS,
  'block-time': {
    describe: 'seconds between blocks, for a full node [2]',
  },
} as const;

const run = defineCommand({
  options: OPTIONS,
  examples: [
    ['$0 node run --data ./full', 'a full node'],
    ['$0 node run --archival --data ./history', 'an archival node that follows the full node'],
    ['$0 node run --follow http://127.0.0.1:8884 --port 8886 --data ./second', 'a second full node'],
  ],

  async run(options, terminal) {
    const { archival = false } = options;
    rejectOtherRoleOptions(options);
    const port = parsePort('--port', options.port ?? `${archival ? DEVNET_ARCHIVAL_PORT : DEVNET_NODE_PORT}`);
    const node = await start(options, port, terminal).catch(error => {
      throw explainListenError(error, [{ option: '--port', port }]);
    });
    process.stdout.write(`${describe(node, archival, terminal.json)}\n`);
    await terminal.interrupted();
    await node.stop();
    return undefined;
  },
});

function rejectOtherRoleOptions({
  archival,
  follow,
  blockTime,
  namedChain,
  feeScale,
}: Given<typeof OPTIONS>): void {
  if (!archival && follow === undefined) return;
  if (blockTime !== undefined) {
    throw new UsageError('--block-time is for the first full node: a following node makes no blocks');
  }
  if (namedChain) {
    throw new UsageError(
      '--named-chain is for the first full node: a following node has the chain that it follows',
    );
  }
  if (feeScale !== undefined) {
    throw new UsageError(
      '--fee-scale is for the first full node: a following node accepts no transactions itself',
    );
  }
}

async function start(options: Given<typeof OPTIONS>, port: number, terminal: Terminal): Promise<RunningNode> {
  const { host, data: dataDir, namedChain } = options;
  const shared = { port, host, dataDir, onError: (error: Error) => terminal.warn(error.message) };
  const follow = parseOrigin(options.follow ?? DEFAULT_FOLLOWED);
  const blockTimeMs = options.blockTime === undefined ? undefined : parseBlockTimeMs(options.blockTime);
  const feeScale = options.feeScale === undefined ? undefined : parseFeeScale(options.feeScale);
  const { startArchivalNode, startFullNode } = await import('@zbc-signer/devnet');
  const role = options.archival ? 'archival' : 'full';
  return options.archival || options.follow !== undefined
    ? startArchivalNode({ ...shared, follow, role })
    : startFullNode({ ...shared, blockTimeMs, namedChain, feeScale });
}

/** Parses a URL that is only an origin, without path, user name or password. */
function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError(`--follow must be the URL of a node, such as ${DEFAULT_FOLLOWED}`);
  }
  return url.origin;
}

function describe({ url, genesisHash }: RunningNode, archival: boolean, json: boolean): string {
  const role = archival ? 'archival' : 'full';
  return json
    ? formatJsonLine({ ready: true, url, role, genesis_hash: genesisHash })
    : [
        `${archival ? 'Archival node' : 'Full node    '}  ${url}`,
        `Genesis hash   ${genesisHash}`,
        'Ready. Ctrl-C stops it.',
      ].join('\n');
}

export const commands = { run };
