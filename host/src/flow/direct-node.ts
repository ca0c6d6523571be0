import { toHex } from '../../../chain/src/index.js';
import { GatewayError } from '../errors.js';
import type { GatewayClient, GatewayNode, NodeInfo } from '../gateway/index.js';
import { NodeChainError } from './errors.js';
import type { Run } from './run.js';

/** Of the nodes that a gateway lists, those that are asked. */
const MAX_ASKED = 3;

export type Signing = Pick<NodeInfo, 'signingVersion' | 'signingTag'>;

/**
 * What the gateway's nodes themselves say of signing, asked by their host names one after the other: the first that says
 * anything. Empty when none does. Throws NodeChainError for a node that is on another chain than the gateway's answer `told`.
 */
export async function askNodes(run: Run, told: NodeInfo): Promise<Signing> {
  for (const node of await listNodes(run)) {
    const name = `${node.ip}:${node.port}`;
    const info = await unlessFailing(run, () => run.gateway.node(node)?.nodeInfo(run.request));
    if (info !== undefined && toHex(info.genesisHash) !== toHex(told.genesisHash)) {
      throw new NodeChainError(name, toHex(info.genesisHash), toHex(told.genesisHash));
    }
    const { signingVersion, signingTag } = info ?? {};
    run.report({ step: 'direct', node: name, answered: info !== undefined, signingVersion });
    if (signingVersion !== undefined) {
      return { signingVersion, ...(signingTag !== undefined && { signingTag }) };
    }
  }
  return {};
}

/** Those that can be asked, full nodes first: an archival one only mirrors them. */
async function listNodes(run: Run): Promise<GatewayNode[]> {
  const status = await unlessFailing(run, () => run.gateway.gatewayStatus(run.request));
  const answering = (status?.nodes ?? []).filter(node => node.answers && isReachable(run.gateway, node));
  const [full, others] = [true, false].map(isFull =>
    answering.filter(({ role }) => (role === 'full') === isFull),
  );
  return [...full!, ...others!].slice(0, MAX_ASKED);
}

function isReachable(gateway: GatewayClient, node: GatewayNode): boolean {
  return gateway.node(node) !== undefined;
}

/** Undefined for a gateway or node that fails to say it: then it has not said it. */
async function unlessFailing<T>(run: Run, ask: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    run.request.signal?.throwIfAborted();
    if (error instanceof GatewayError) {
      return undefined;
    }
    throw error;
  }
}
