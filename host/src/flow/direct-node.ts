import { toHex } from '@zbc-signer/chain';
import { throwIfAborted } from '../cancellation.js';
import { GatewayError } from '../errors.js';
import type { GatewayClient, GatewayNode, NodeInfo } from '../gateway/index.js';
import { nodeChainError } from './errors.js';
import type { Run } from './run.js';

/** The most nodes to ask. */
const MAX_ASKED = 3;

type Signing = Pick<NodeInfo, 'signingVersion' | 'signingTag'>;

/**
 * Asks the gateway's nodes by their host names, one after the other, for their signing rules; empty if none
 * reports them. Throws `NODE_CHAIN_MISMATCH` for a node on another chain than the gateway `reported`.
 */
export async function askNodes(run: Run, reported: NodeInfo): Promise<Signing> {
  for (const node of await listNodes(run)) {
    const name = `${node.ip}:${node.port}`;
    const info = await unlessFailing(run, () => run.gateway.node(node)?.nodeInfo(run.request));
    if (info !== undefined && toHex(info.genesisHash) !== toHex(reported.genesisHash)) {
      throw nodeChainError(name, toHex(info.genesisHash), toHex(reported.genesisHash));
    }
    const { signingVersion, signingTag } = info ?? {};
    run.report({ step: 'direct', node: name, answered: info !== undefined, signingVersion });
    if (signingVersion !== undefined) {
      return { signingVersion, ...(signingTag !== undefined && { signingTag }) };
    }
  }
  return {};
}

/** The reachable nodes, full nodes first: an archival node only mirrors them. */
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

/** Undefined for a failing gateway or node. */
async function unlessFailing<T>(run: Run, ask: () => Promise<T> | undefined): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    throwIfAborted(run.request.signal);
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
