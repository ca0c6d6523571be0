import { parseJson } from '@zbc-signer/chain';
import { NodeFault } from '../upstream/node-fault.js';

export interface NodeInfo {
  /** Lower hex. */
  genesisHash: string;
  height?: bigint;
  signingVersion?: bigint;
}

const HASH = /^(?:0x)?([0-9a-f]{64})$/i;

/** Parses the body of `/api/v1/node/info`; throws NodeFault if it names no chain. */
export function parseNodeInfo(body: Buffer): NodeInfo {
  const fields = readFields(body);
  const { genesis_hash: genesis, height, signing_version: signingVersion } = fields;
  const hash = typeof genesis === 'string' ? HASH.exec(genesis)?.[1] : undefined;
  if (hash === undefined) throw new NodeFault('broken', true, 'did not report its chain');
  return {
    genesisHash: hash.toLowerCase(),
    ...(typeof height === 'bigint' && { height }),
    ...(typeof signingVersion === 'bigint' && { signingVersion }),
  };
}

function readFields(body: Buffer): Record<string, unknown> {
  try {
    const document = parseJson(body.toString());
    if (typeof document === 'object' && document !== null) return { ...document };
  } catch {}
  throw new NodeFault('broken', true, 'sent a malformed response');
}
