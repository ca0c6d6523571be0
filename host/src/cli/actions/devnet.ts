import { randomBytes } from 'node:crypto';
import { type Devnet, type DevnetOptions, startDevnet } from '../../../../gateway/src/index.js';
import { parseBlockTimeMs } from '../block-time.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT, DEVNET_PORT } from '../defaults.js';
import { writeKeyFile } from '../key-file.js';
import { explainListenError } from '../listen-fault.js';
import type { Terminal } from '../terminal.js';
import { parsePort, parseWhole } from '../values.js';

const KEY_BYTES = 32;
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
}

export async function runDevnet(command: DevnetCommand, terminal: Terminal): Promise<undefined> {
  const options = readOptions(command);
  const adminApiKey = randomBytes(KEY_BYTES).toString('base64url');
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
  process.stdout.write(`${describe(devnet, terminal.json)}\n`);
  await terminal.interrupted();
  await devnet.stop();
}

function readOptions({ host, data, blockTime, rateLimit, ...command }: DevnetCommand) {
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
    ...(rateLimit !== undefined && { rateLimit: parseWhole('--rate-limit', rateLimit, MAX_RATE) }),
  };
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
