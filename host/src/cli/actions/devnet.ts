import { parseUnits } from '../../../../chain/src/index.js';
import { type Devnet, startDevnet } from '../../../../gateway/src/index.js';
import { DEVNET_PORT } from '../defaults.js';
import { UsageError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { parsePort } from '../values.js';

const MIN_BLOCK_TIME_MS = 50n;
const MAX_BLOCK_TIME_MS = 3_600_000n;

interface DevnetOptions {
  port?: string | undefined;
  host?: string | undefined;
  data?: string | undefined;
  blockTime?: string | undefined;
}

export async function runDevnet(options: DevnetOptions, terminal: Terminal): Promise<undefined> {
  const { host, data, blockTime } = options;
  const port = parsePort('--port', options.port ?? `${DEVNET_PORT}`);
  const devnet = await startDevnet({
    port,
    ...(host !== undefined && { host }),
    ...(data !== undefined && { dataDir: data }),
    ...(blockTime !== undefined && { blockTimeMs: parseBlockTimeMs(blockTime) }),
  }).catch(error => {
    throw explainListenError(error, port);
  });
  process.stdout.write(`${describe(devnet, terminal.json)}\n`);
  await terminal.interrupted();
  await devnet.stop();
}

function parseBlockTimeMs(text: string): number {
  const blockTimeMs = parseUnits(text, 3);
  if (blockTimeMs < MIN_BLOCK_TIME_MS || blockTimeMs > MAX_BLOCK_TIME_MS) {
    throw new UsageError('--block-time must be from 0.05 to 3600 seconds');
  }
  return Number(blockTimeMs);
}

function describe({ url, genesisHash }: Devnet, json: boolean): string {
  return json
    ? JSON.stringify({ ready: true, url, genesis_hash: genesisHash })
    : `Gateway       ${url}\nFaucet        ${url}/faucet\nGenesis hash  ${genesisHash}\nReady. Ctrl-C stops it.`;
}

/** Node's own errors about the port, in words. */
function explainListenError(error: unknown, port: number): unknown {
  const code: unknown = Reflect.get(Object(error), 'code');
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(`port ${port} is in use`, 'Choose another with --port, or 0 for any free one.');
    case 'EACCES':
      return new UsageError(`port ${port} or the data directory is not for this user`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError('--host is not an address of this computer');
    default:
      return error;
  }
}
