import { SIGNING_TAG, toHex } from '../../../chain/src/index.js';
import type { NodeInfo } from '../gateway/index.js';
import { askNodes } from './direct-node.js';
import { SigningTagError, SigningVersionError, WrongChainError } from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';

/** Signatures bound to one chain (interface.md "Versioning"). */
const SIGNING_VERSION = 2n;

/** The gateway's chain, once it is sure that what is signed for it is what its nodes check. */
export async function readChain(run: Run): Promise<NodeInfo> {
  const told = await retryRead(run, options => run.gateway.nodeInfo(options));
  // An older gateway leaves the field out; its nodes need not (interface.md "Versioning").
  const info = told.signingVersion === undefined ? { ...told, ...(await askNodes(run, told)) } : told;
  if (info.signingVersion !== SIGNING_VERSION) {
    throw new SigningVersionError(info.signingVersion);
  }
  if (info.signingTag !== undefined && info.signingTag !== SIGNING_TAG) {
    throw new SigningTagError();
  }
  const genesisHash = toHex(info.genesisHash);
  if (run.expectedGenesisHash !== undefined && toHex(run.expectedGenesisHash) !== genesisHash) {
    throw new WrongChainError(genesisHash, toHex(run.expectedGenesisHash));
  }
  run.report({ step: 'chain', genesisHash, height: info.height });
  return info;
}
