import { CHAOS_KINDS } from '../../../../gateway/src/devnet/chaos/kinds.js';
import { defineCommand } from '../command.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT, DEVNET_PORT } from '../defaults.js';
import { formatTable } from '../table.js';

function describeKinds(): string {
  return formatTable(
    CHAOS_KINDS.map(({ name, value, meaning }) => [`${name}${value}`, meaning] as const),
    '  ',
  );
}

export const devnet = defineCommand({
  usage: 'devnet',
  summary: 'Run a development network: a gateway with a faucet, a full and an archival node, until Ctrl-C',
  configure: yargs =>
    yargs
      .options({
        port: {
          type: 'string',
          requiresArg: true,
          describe: `port of the gateway; 0 is any, for the nodes too [${DEVNET_PORT}]`,
        },
        'node-port': {
          type: 'string',
          requiresArg: true,
          describe: `port of the full node [${DEVNET_NODE_PORT}]`,
        },
        'archival-port': {
          type: 'string',
          requiresArg: true,
          describe: `port of the archival node [${DEVNET_ARCHIVAL_PORT}]`,
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
        'rate-limit': {
          type: 'string',
          requiresArg: true,
          describe: 'requests that one client may make in a minute [no limit]',
        },
        'admin-key-file': {
          type: 'string',
          requiresArg: true,
          describe: "new file for the admin panel's key, removed at the end [the key is told nowhere]",
        },
        chaos: {
          type: 'string',
          array: true,
          requiresArg: true,
          describe: 'what goes wrong on purpose: the kinds below, several with commas or spaces between them',
        },
        'chaos-seed': {
          type: 'string',
          requiresArg: true,
          describe: 'a number; the same one gives the same chaos [drawn, and told]',
        },
        json: { type: 'boolean', describe: 'print one JSON line on stdout when ready' },
      })
      .example('$0 devnet --data ./chain --block-time 0.5', 'a chain that stays, with fast blocks')
      .example('$0 devnet --port 0 --json', 'beside another one, on ports that are free')
      .example('$0 devnet --chaos drop=0.1,busy=0.1,delay=50-500', 'a bad day, for testing a host')
      .example('$0 devnet --chaos drop-after', 'no broadcast is answered, and all are taken')
      .epilogue(`Chaos, on the routes under /api/v1/ of the gateway:\n${describeKinds()}`),
  run: async (options, terminal) => {
    const { runDevnet } = await import('../actions/devnet.js');
    return runDevnet(options, terminal);
  },
});
