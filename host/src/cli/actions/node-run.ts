import type { RunningNode } from '../../../../gateway/src/node/full-node.js';
import { DEVNET_GENESIS_HASH } from '../../../../gateway/src/node/genesis.js';
import { parseBlockTimeMs } from '../block-time.js';
import { DEVNET_ARCHIVAL_PORT, DEVNET_NODE_PORT } from '../defaults.js';
import { UsageError } from '../errors.js';
import { explainListenError } from '../listen-fault.js';
import type { Terminal } from '../terminal.js';
import { parsePort } from '../values.js';

interface NodeRunCommand {
  archival?: boolean | undefined;
  follow?: string | undefined;
  port?: string | undefined;
  host?: string | undefined;
  data?: string | undefined;
  blockTime?: string | undefined;
}

export async function runNode(command: NodeRunCommand, terminal: Terminal): Promise<undefined> {
  refuseTheOthersOptions(command);
  const { archival = false } = command;
  const standard = archival ? DEVNET_ARCHIVAL_PORT : DEVNET_NODE_PORT;
  const port = parsePort('--port', command.port ?? `${standard}`);
  const node = await start(command, port, terminal).catch(error => {
    throw explainListenError(error, [{ option: '--port', port }]);
  });
  process.stdout.write(`${describe(node, archival, terminal.json)}\n`);
  await terminal.interrupted();
  await node.stop();
}

function refuseTheOthersOptions({ archival, follow, blockTime }: NodeRunCommand): void {
  if (archival && blockTime !== undefined) {
    throw new UsageError('--block-time is for a full node: an archival node makes no blocks');
  }
  if (!archival && follow !== undefined) {
    throw new UsageError('--follow is for an archival node', 'Add --archival.');
  }
}

/** Imports the one kind of node that is asked for, not the gateway: a node is ready a quarter sooner. */
async function start(command: NodeRunCommand, port: number, terminal: Terminal): Promise<RunningNode> {
  const { host, data: dataDir } = command;
  const shared = { port, host, dataDir, onError: (error: Error) => terminal.warn(error.message) };
  if (command.archival) {
    const follow = parseOrigin(command.follow ?? `http://127.0.0.1:${DEVNET_NODE_PORT}`);
    const { startArchivalNode } = await import('../../../../gateway/src/archival/archival-node.js');
    return startArchivalNode({ ...shared, follow });
  }
  const blockTimeMs = command.blockTime === undefined ? undefined : parseBlockTimeMs(command.blockTime);
  const { startFullNode } = await import('../../../../gateway/src/node/full-node.js');
  return startFullNode({ ...shared, blockTimeMs });
}

/** Nothing but where the node is: no path, and no name and password. */
function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.href !== `${url.origin}/`) {
    throw new UsageError('--follow must be the address of a node, such as http://127.0.0.1:8884');
  }
  return url.origin;
}

function describe({ url }: RunningNode, archival: boolean, json: boolean): string {
  const role = archival ? 'archival' : 'full';
  return json
    ? JSON.stringify({ ready: true, url, role, genesis_hash: DEVNET_GENESIS_HASH })
    : [
        `${archival ? 'Archival node' : 'Full node    '}  ${url}`,
        `Genesis hash   ${DEVNET_GENESIS_HASH}`,
        'Ready. Ctrl-C stops it.',
      ].join('\n');
}
