import { newAdminKey } from '../../../../gateway/src/config/new-admin-key.js';
import { drawSeed, MAX_SEED } from '../../../../gateway/src/devnet/chaos/random.js';
import { type Devnet, type DevnetOptions, parseChaos, startDevnet } from '../../../../gateway/src/index.js';
import { parseBlockTimeMs } from '../block-time.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT, DEVNET_PORT } from '../defaults.js';
import { UsageError } from '../errors.js';
import { writeKeyFile } from '../key-file.js';
import { explainListenError } from '../listen-fault.js';
import type { Terminal } from '../terminal.js';
import { parsePort, parseWhole } from '../values.js';

const MAX_RATE = 1_000_000;

interface DevnetCommand {
  port?: string | undefined;
  nodePort?: string | undefined;
  archivalPort?: string | undefined;
  host?: string | undefined;
  data?: string | undefined;
  blockTime?: string | undefined;
  rateLimit?: string | undefined;
  adminKeyFile?: string | undefined;
  chaos?: string[] | undefined;
  chaosSeed?: string | undefined;
}

export async function runDevnet(command: DevnetCommand, terminal: Terminal): Promise<undefined> {
  const options = readOptions(command);
  const adminApiKey = newAdminKey();
  const { adminKeyFile } = command;
  const keyFile = adminKeyFile === undefined ? undefined : await writeKeyFile(adminKeyFile, adminApiKey);
  try {
    await runUntilInterrupted({ ...options, adminApiKey }, terminal);
  } finally {
    await keyFile?.remove();
  }
}

async function runUntilInterrupted(
  options: ReturnType<typeof readOptions> & DevnetOptions,
  terminal: Terminal,
) {
  const devnet = await startDevnet(options).catch(error => {
    throw explainListenError(error, [
      { option: '--port', port: options.port },
      { option: '--node-port', port: options.nodePort },
      { option: '--archival-port', port: options.archivalPort },
    ]);
  });
  if (options.chaos !== undefined) {
    terminal.warn(`CHAOS: this network fails on purpose (--chaos-seed ${options.chaos.seed})`);
  }
  process.stdout.write(`${describe(devnet, terminal.json)}\n`);
  await terminal.interrupted();
  await devnet.stop();
}

function readOptions(command: DevnetCommand) {
  const { host, data, blockTime, rateLimit, chaos, chaosSeed } = command;
  if (chaosSeed !== undefined && chaos === undefined) {
    throw new UsageError('--chaos-seed says nothing without --chaos');
  }
  const port = parsePort('--port', command.port ?? `${DEVNET_PORT}`);
  // Any port for the gateway is any port for all: a second network beside the first needs one option.
  const [nodePort, archivalPort] = port === 0 ? [0, 0] : [DEVNET_NODE_PORT, DEVNET_ARCHIVAL_PORT];
  return {
    port,
    nodePort: parsePort('--node-port', command.nodePort ?? `${nodePort}`),
    archivalPort: parsePort('--archival-port', command.archivalPort ?? `${archivalPort}`),
    ...(host !== undefined && { host }),
    ...(data !== undefined && { dataDir: data }),
    ...(blockTime !== undefined && { blockTimeMs: parseBlockTimeMs(blockTime) }),
    ...(chaos !== undefined && { chaos: { ...parseChaos(chaos), seed: parseSeed(chaosSeed) } }),
    ...(rateLimit !== undefined && { rateLimit: parseWhole('--rate-limit', rateLimit, MAX_RATE) }),
  };
}

function parseSeed(text: string | undefined): number {
  return text === undefined ? drawSeed() : parseWhole('--chaos-seed', text, MAX_SEED);
}

function describe({ url, nodeUrl, archivalUrl, genesisHash }: Devnet, json: boolean): string {
  return json
    ? JSON.stringify({
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
        `Genesis hash   ${genesisHash}`,
        'Ready. Ctrl-C stops it.',
      ].join('\n');
}
