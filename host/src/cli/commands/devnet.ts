import { defineCommand } from '../command.js';
import { DEVNET_PORT } from '../defaults.js';
import { UsageError } from '../errors.js';

const MIN_BLOCK_TIME_MS = 50n;
const MAX_BLOCK_TIME_MS = 3_600_000n;

export const devnet = defineCommand({
  usage: 'devnet',
  summary: 'Run a development network with a gateway and a faucet, until Ctrl-C',
  configure: yargs =>
    yargs
      .options({
        port: {
          type: 'string',
          requiresArg: true,
          describe: `port of the gateway; 0 is any [${DEVNET_PORT}]`,
        },
        host: { type: 'string', requiresArg: true, describe: 'address to listen on [127.0.0.1]' },
        data: {
          type: 'string',
          requiresArg: true,
          describe: 'directory that keeps the chain [a temporary one, removed at the end]',
        },
        'block-time': {
          type: 'string',
          requiresArg: true,
          describe: 'seconds from one block to the next [2]',
        },
        json: { type: 'boolean', describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 devnet --data ./chain --block-time 0.5', 'a chain that stays, with fast blocks'),
  run: async ({ port, host, data, blockTime }, terminal) => {
    const [{ startDevnet }, { parsePort }] = await Promise.all([
      import('../../../../gateway/src/index.js'),
      import('../values.js'),
    ]);
    const wanted = parsePort('--port', port ?? `${DEVNET_PORT}`);
    const network = await startDevnet({
      port: wanted,
      ...(host !== undefined && { host }),
      ...(data !== undefined && { dataDir: data }),
      ...(blockTime !== undefined && { blockTimeMs: await parseBlockTimeMs(blockTime) }),
    }).catch(error => {
      throw explainListenError(error, wanted);
    });
    process.stdout.write(`${describe(network.url, network.genesisHash, terminal.json)}\n`);
    await terminal.interrupted();
    await network.stop();
    return undefined;
  },
});

async function parseBlockTimeMs(text: string): Promise<number> {
  const { parseUnits } = await import('../../../../chain/src/index.js');
  const blockTimeMs = parseUnits(text, 3);
  if (blockTimeMs < MIN_BLOCK_TIME_MS || blockTimeMs > MAX_BLOCK_TIME_MS) {
    throw new UsageError('--block-time must be from 0.05 to 3600 seconds');
  }
  return Number(blockTimeMs);
}

function describe(url: string, genesisHash: string, json: boolean): string {
  return json
    ? JSON.stringify({ ready: true, url, genesis_hash: genesisHash })
    : `Gateway       ${url}\nFaucet        ${url}/faucet\nGenesis hash  ${genesisHash}\nReady. Ctrl-C stops it.`;
}

/** Node's own errors about the port, in words. */
function explainListenError(error: unknown, port: number): unknown {
  const code: unknown = Reflect.get(Object(error), 'code');
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(`port ${port} is in use`, 'choose another with --port, or 0 for any free one');
    case 'EACCES':
      return new UsageError(`port ${port} or the data directory is not for this user`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new UsageError('--host is not an address of this computer');
    default:
      return error;
  }
}
