import { SIGNING_TAG, toHex } from '@zbc-signer/chain';
import type { NodeInfo } from '../gateway/index.js';
import { askNodes } from './direct-node.js';
import { signingTagError, signingVersionError, wrongChainError } from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';

/** Signatures bound to one chain. */
const SIGNING_VERSION = 2n;

/** Reads the gateway's chain and checks that its nodes verify signatures as this library makes them. */
export async function readChain(run: Run): Promise<NodeInfo> {
  const reported = await retryRead(run, options => run.gateway.nodeInfo(options));
  // An older gateway omits the field though its nodes report it.
  const info =
    reported.signingVersion === undefined ? { ...reported, ...(await askNodes(run, reported)) } : reported;
  if (info.signingVersion !== SIGNING_VERSION) throw signingVersionError(info.signingVersion);
  if (info.signingTag !== undefined && info.signingTag !== SIGNING_TAG) throw signingTagError();
  const genesisHash = toHex(info.genesisHash);
  if (run.expectedGenesisHash !== undefined && toHex(run.expectedGenesisHash) !== genesisHash) {
    throw wrongChainError(genesisHash, toHex(run.expectedGenesisHash));
  }
  run.report({ step: 'chain', genesisHash, height: info.height });
  return info;
}
