import { SIGNING_TAG, toHex } from '@zbc-signer/chain';
import { throwIfAborted } from '../../cancellation.js';
import { elapsedMs } from '../../clock.js';
import { GatewayError } from '../../errors.js';
import type { GatewayClient, GatewayNode, NodeInfo, RequestOptions } from '../../gateway/index.js';
import { nodeChainError, signingTagError, signingVersionError, wrongChainError } from '../errors.js';
import { type GatewayStep, type PrepareStep, untilDeadline } from '../flow-step.js';
import { askEach, retryRead } from './retry.js';

/** The version of the signing rules in which a signature is valid on one chain only. */
const SIGNING_VERSION = 2n;
/** Maximum number of nodes to ask. */
const MAX_ASKED = 3;
/** Time limit of one question to the other gateways. */
const OTHERS_MS = 15_000;

type Signing = Pick<NodeInfo, 'signingVersion' | 'signingTag'>;

/** The gateway's chain, and those of the other gateways that confirm it. */
interface ConfirmedChain extends NodeInfo {
  otherGateways: readonly GatewayClient[];
}

/** Reads the gateway's chain and checks that its nodes verify this library's kind of signature. */
export async function readChain(step: PrepareStep): Promise<ConfirmedChain> {
  const reported = await retryRead(step, options => step.gateway.nodeInfo(options));
  // An older gateway omits the field, although its nodes report it.
  const info =
    reported.signingVersion === undefined ? { ...reported, ...(await askNodes(step, reported)) } : reported;
  if (info.signingVersion !== SIGNING_VERSION) throw signingVersionError(info.signingVersion);
  if (info.signingTag !== undefined && info.signingTag !== SIGNING_TAG) throw signingTagError();
  const genesisHash = toHex(info.genesisHash);
  if (step.expectedGenesisHash !== undefined && toHex(step.expectedGenesisHash) !== genesisHash) {
    throw wrongChainError(genesisHash, toHex(step.expectedGenesisHash));
  }
  const { answers, failure } = await askOthers(step, (gateway, options) => gateway.nodeInfo(options));
  for (const { gateway, answer } of answers) checkSameChain(gateway.url, answer, info.genesisHash);
  if (answers.length === 0 && failure !== undefined) throw failure;
  step.report({ step: 'chain', genesisHash: info.genesisHash, height: info.height });
  return { ...info, otherGateways: answers.map(({ gateway }) => gateway) };
}

/** The answers of the other gateways, and the first failure of those that did not answer in time. */
export async function askOthers<T>(
  step: GatewayStep,
  ask: (gateway: GatewayClient, options: RequestOptions) => Promise<T>,
): Promise<{ answers: { gateway: GatewayClient; answer: T }[]; failure: GatewayError | undefined }> {
  const { clock, request, otherGateways } = step;
  const deadlineMs = Math.min(step.deadlineMs, elapsedMs(clock) + OTHERS_MS);
  const reader = { clock, request, deadlineMs, report: () => undefined };
  const asked = await askEach(reader, otherGateways, ask);
  return {
    answers: asked.filter(each => 'answer' in each),
    failure: asked.find(each => 'error' in each)?.error,
  };
}

function checkSameChain(name: string, info: NodeInfo | undefined, genesisHash: Uint8Array): void {
  if (info !== undefined && toHex(info.genesisHash) !== toHex(genesisHash)) {
    throw nodeChainError(name, toHex(info.genesisHash), toHex(genesisHash));
  }
}

/**
 * Asks the gateway's nodes for their signing rules, one after the other. The gateway forwards a request to a
 * single node under the host name of this node (`GatewayClient.node`). Returns an empty object if no node reports them. Throws `NODE_CHAIN_MISMATCH` for a node on another chain than the one
 * that the gateway `reported`.
 */
async function askNodes(step: GatewayStep, reported: NodeInfo): Promise<Signing> {
  for (const node of await listNodes(step)) {
    const name = `${node.ip}:${node.port}`;
    const info = await unlessFailing(step, () => step.gateway.node(node)?.nodeInfo(untilDeadline(step)));
    checkSameChain(name, info, reported.genesisHash);
    const { signingVersion, signingTag } = info ?? {};
    step.report({ step: 'direct', node: name, answered: info !== undefined, signingVersion });
    if (signingVersion !== undefined) {
      return { signingVersion, ...(signingTag !== undefined && { signingTag }) };
    }
  }
  return {};
}

/** The reachable nodes. Full nodes are first, because an archival node only mirrors a full node. */
async function listNodes(step: GatewayStep): Promise<GatewayNode[]> {
  const status = await unlessFailing(step, () => step.gateway.gatewayStatus(untilDeadline(step)));
  const answering = (status?.nodes ?? []).filter(node => node.answers && isReachable(step.gateway, node));
  const [full, others] = [true, false].map(isFull =>
    answering.filter(({ role }) => (role === 'full') === isFull),
  );
  return [...full!, ...others!].slice(0, MAX_ASKED);
}

function isReachable(gateway: GatewayClient, node: GatewayNode): boolean {
  return gateway.node(node) !== undefined;
}

/** Resolves with the answer of a gateway or node; undefined if it fails. */
export async function unlessFailing<T>(
  step: GatewayStep,
  ask: () => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    throwIfAborted(step.request.signal);
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}
