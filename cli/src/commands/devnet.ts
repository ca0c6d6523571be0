import { rm } from 'node:fs/promises';
import type { Devnet, DevnetOptions } from '@zbc-signer/devnet';
import { CHAOS_KINDS, MAX_SEED, parseChaos, randomSeed } from '@zbc-signer/devnet/chaos';
import { awaitHeight, type GatewayClient, GatewayError } from '@zbc-signer/host';
import { findAddress } from '../connection/device.js';
import { openGateway } from '../connection/gateway.js';
import { CommandError, explainListenError, UsageError } from '../errors/errors.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT, DEVNET_PORT } from '../input/config.js';
import { writeBytes } from '../input/files.js';
import { parseBlockTimeMs, parseFeeScale, requireLoopback } from '../input/network.js';
import { parseOrigin, parsePort, parseWhole } from '../input/values.js';
import { formatJsonLine } from '../output/json.js';
import { formatTable } from '../output/table.js';
import type { Terminal } from '../output/terminal.js';
import { defineCommand, type Given } from '../parser/command.js';
import { CHAIN_OPTIONS, DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../parser/options.js';

const MAX_RATE = 1_000_000;

const OPTIONS = {
  port: {
    describe: `port of the gateway; 0 picks free ports, for the nodes too [${DEVNET_PORT}]`,
  },
  'node-port': { describe: `port of the full node [${DEVNET_NODE_PORT}]` },
  'archival-port': {
    describe: `port of the archival node [${DEVNET_ARCHIVAL_PORT}]`,
  },
  host: { describe: 'address to listen on [127.0.0.1]' },
  data: {
    describe: 'directory in which the chain is stored [a temporary one, removed at the end]',
  },
  ...CHAIN_OPTIONS,
  'block-time': { describe: 'seconds between blocks [2]' },
  'rate-limit': {
    describe: 'requests per client and minute [no limit]',
  },
  'cors-origin': {
    array: true,
    describe: 'origin of a page that may use the chain routes, such as https://app.example',
  },
  'admin-key-file': {
    describe: 'new file to which the key of the admin page is written; removed at the end [no file]',
  },
  chaos: {
    array: true,
    describe: 'faults to inject: the kinds below, separated by commas or spaces',
  },
  'chaos-seed': {
    describe: 'number that makes the faults repeatable [random; printed at start]',
  },
} as const;

const devnetCommand = defineCommand({
  options: OPTIONS,
  examples: [
    ['$0 devnet --data ./chain --block-time 0.5', 'a persistent chain with fast blocks'],
    ['$0 devnet --named-chain', 'use the chain that an emulator shows as ZBC Devnet'],
    ['$0 devnet --port 0 --json', 'run alongside another devnet, on free ports'],
    ['$0 devnet --cors-origin http://localhost:5173', 'allow a page that you develop'],
    ['$0 devnet --chaos drop=0.1,busy=0.1,delay=50-500', 'simulate a flaky network'],
    ['$0 devnet --chaos drop-after', 'accept every broadcast, but never answer'],
  ],
  notes: `Fault injection, on the routes under /api/v1/ of the gateway:\n${describeKinds()}`,

  async run(command, terminal) {
    const options = readOptions(command);
    requireLoopback();
    const { newAdminKey } = await import('@zbc-signer/gateway');
    const adminApiKey = newAdminKey();
    const { adminKeyFile } = command;
    if (adminKeyFile !== undefined) {
      const remedy = 'Choose another --admin-key-file.';
      await writeBytes(adminKeyFile, `${adminApiKey}\n`, { secret: true, remedy });
    }
    try {
      await runUntilInterrupted({ ...options, adminApiKey }, terminal);
    } finally {
      if (adminKeyFile !== undefined) await rm(adminKeyFile, { force: true });
    }
    return undefined;
  },
});

function describeKinds(): string {
  const rows = CHAOS_KINDS.map(({ name, value, meaning }) => [`${name}${value}`, meaning] as const);
  return formatTable(rows, '  ');
}

async function runUntilInterrupted(
  options: ReturnType<typeof readOptions> & DevnetOptions,
  terminal: Terminal,
): Promise<void> {
  const { startDevnet } = await import('@zbc-signer/devnet');
  const devnet = await startDevnet(options).catch(error => {
    throw explainListenError(error, [
      { option: '--port', port: options.port },
      { option: '--node-port', port: options.nodePort },
      { option: '--archival-port', port: options.archivalPort },
    ]);
  });
  if (options.chaos !== undefined) {
    terminal.warn(`WARNING: fault injection is on; --chaos-seed ${options.chaos.seed} repeats these faults`);
  }
  process.stdout.write(`${describe(devnet, terminal.json)}\n`);
  await terminal.interrupted();
  await devnet.stop();
}

function readOptions({
  host,
  data,
  namedChain,
  feeScale,
  blockTime,
  rateLimit,
  corsOrigin,
  chaos,
  chaosSeed,
  ...ports
}: Given<typeof OPTIONS>) {
  if (chaosSeed !== undefined && chaos === undefined) throw new UsageError('--chaos-seed requires --chaos');
  const port = parsePort('--port', ports.port ?? `${DEVNET_PORT}`);
  // Port 0 picks free ports for the nodes too, so that a second network needs only one option.
  const [nodePort, archivalPort] = port === 0 ? [0, 0] : [DEVNET_NODE_PORT, DEVNET_ARCHIVAL_PORT];
  return {
    port,
    nodePort: parsePort('--node-port', ports.nodePort ?? `${nodePort}`),
    archivalPort: parsePort('--archival-port', ports.archivalPort ?? `${archivalPort}`),
    ...(host !== undefined && { host }),
    ...(data !== undefined && { dataDir: data }),
    namedChain,
    ...(feeScale !== undefined && { feeScale: parseFeeScale(feeScale) }),
    ...(blockTime !== undefined && { blockTimeMs: parseBlockTimeMs(blockTime) }),
    ...(chaos !== undefined && { chaos: { ...parseChaos(chaos), seed: parseSeed(chaosSeed) } }),
    ...(corsOrigin !== undefined && {
      corsOrigins: corsOrigin.map(origin => parseOrigin('--cors-origin', origin)),
    }),
    ...(rateLimit !== undefined && { rateLimit: parseWhole('--rate-limit', rateLimit, MAX_RATE) }),
  };
}

function parseSeed(text: string | undefined): number {
  return text === undefined ? randomSeed() : parseWhole('--chaos-seed', text, MAX_SEED);
}

function describe({ url, nodeUrl, archivalUrl, genesisHash }: Devnet, json: boolean): string {
  return json
    ? formatJsonLine({
        ready: true,
        url,
        node_url: nodeUrl,
        archival_url: archivalUrl,
        genesis_hash: genesisHash,
      })
    : [
        `Gateway        ${url}`,
        `Full node      ${nodeUrl}`,
        `Archival node  ${archivalUrl}`,
        `Faucet         ${url}/faucet`,
        `Wallet         ${url}/wallet/`,
        `Genesis hash   ${genesisHash}`,
        'Ready. Ctrl-C stops it.',
      ].join('\n');
}

const NOT_FOUND = 404;

const faucet = defineCommand({
  arguments: { address: { describe: "the account [the device's]" } },
  options: { ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS },
  examples: [
    ['$0 faucet', "coins and tokens of `zbc-signer devnet` for the device's account 0"],
    ['$0 faucet ZBC_7VCH…', 'coins and tokens for any account'],
  ],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const { signal } = terminal;
    const address = await findAddress(options, signal);
    const blockHeight = await request(gateway, address, signal);
    await awaitHeight(gateway, blockHeight, { signal });
    return {
      json: { address, block_height: blockHeight },
      text: formatTable([
        ['Paid to', address],
        ['In block', `${blockHeight}`],
      ]),
    };
  },
});

/** Sends one request, because a second request would pay again. */
async function request(gateway: GatewayClient, address: string, signal: AbortSignal): Promise<bigint> {
  try {
    return (await gateway.faucet(address, { signal })).blockHeight;
  } catch (error) {
    const isMissing = error instanceof GatewayError && error.facts.status === NOT_FOUND;
    if (!isMissing) throw error;
    const hint = '`zbc-signer devnet` starts a development network, which has a faucet.';
    throw new CommandError('NO_FAUCET', 'notFound', 'this gateway has no faucet', { hint });
  }
}

export const commands = { devnet: devnetCommand, faucet };
