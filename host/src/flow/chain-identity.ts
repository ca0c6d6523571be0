import { SIGNING_TAG, toHex } from '@zbc-signer/chain';
import type { NodeInfo } from '../gateway/index.js';
import { askNodes } from './direct-node.js';
import { signingTagError, signingVersionError, wrongChainError } from './errors.js';
import type { PrepareStep } from './prepare.js';
import { retryRead } from './retry.js';

/** Signatures bound to one chain. */
const SIGNING_VERSION = 2n;

/** Reads the gateway's chain and checks that its nodes verify signatures as this library makes them. */
export async function readChain(step: PrepareStep): Promise<NodeInfo> {
  const reported = await retryRead(step, options => step.gateway.nodeInfo(options));
  // An older gateway omits the field though its nodes report it.
  const info =
    reported.signingVersion === undefined ? { ...reported, ...(await askNodes(step, reported)) } : reported;
  if (info.signingVersion !== SIGNING_VERSION) throw signingVersionError(info.signingVersion);
  if (info.signingTag !== undefined && info.signingTag !== SIGNING_TAG) throw signingTagError();
  const genesisHash = toHex(info.genesisHash);
  if (step.expectedGenesisHash !== undefined && toHex(step.expectedGenesisHash) !== genesisHash) {
    throw wrongChainError(genesisHash, toHex(step.expectedGenesisHash));
  }
  step.report({ step: 'chain', genesisHash: info.genesisHash, height: info.height });
  return info;
}
