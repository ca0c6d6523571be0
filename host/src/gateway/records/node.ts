import { HASH_LENGTH } from '@zbc-signer/protocol/limits';
import type { Answer } from '../answer.js';
import { type BlockHeader, readBlockHeader } from './block.js';

export const NODE_INFO = '/api/v1/node/info';

/**
 * A node's chain and signing rules. Nodes that predate signatures bound to one chain do not report the rules.
 */
export interface NodeInfo {
  genesisHash: Uint8Array;
  signingVersion?: bigint;
  signingTag?: string;
  height: bigint;
  version?: string | undefined;
  peerCount?: number | undefined;
  synced?: boolean | undefined;
}

/** The height of the answering node's newest block. */
export interface BlockchainStatus {
  height: bigint;
  confirmedHeight?: bigint;
  latestBlock?: BlockHeader | undefined;
}

/** `minimumFee` is in atomic units; `timestamp` is the time of the node's clock in Unix seconds. */
export interface FeeEstimate {
  minimumFee: bigint;
  timestamp?: bigint;
}

export function readNodeInfo(answer: Answer): NodeInfo {
  return {
    genesisHash: answer.hex('genesis_hash', HASH_LENGTH),
    height: answer.amount('height'),
    ...(answer.has('signing_version') && { signingVersion: answer.strictInteger('signing_version') }),
    ...(answer.has('signing_tag') && { signingTag: answer.text('signing_tag') }),
    version: answer.optional('version', 'label'),
    peerCount: answer.optional('peer_count', 'count'),
    synced: answer.optional('synced', 'flag'),
  };
}

export function readBlockchainStatus(answer: Answer): BlockchainStatus {
  return {
    height: answer.amount('height'),
    ...(answer.has('confirmed_height') && { confirmedHeight: answer.amount('confirmed_height') }),
    latestBlock: answer.has('latest_block') ? readBlockHeader(answer.object('latest_block')) : undefined,
  };
}

export function readFeeEstimate(answer: Answer): FeeEstimate {
  return {
    minimumFee: answer.amount('minimum_fee'),
    ...(answer.has('timestamp') && { timestamp: answer.amount('timestamp') }),
  };
}
