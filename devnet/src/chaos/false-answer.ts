import { Readable } from 'node:stream';
import { formatJson, parseJson } from '@zbc-signer/chain';
import type { Chaos } from './chaos.js';

type Fields = Record<string, unknown>;
export type Falsify = (fields: Fields) => Fields;

/**
 * Changes a node/info response of the gateway, or of one node by its hostname; undefined when
 * unchanged.
 */
export function falsifyInfo(chaos: Chaos, asksOneNode: boolean): Falsify | undefined {
  const hidesSigning = chaos.noSigningVersion || (chaos.hideSigningVersion && !asksOneNode);
  const namesAnother = chaos.wrongGenesis && !asksOneNode;
  if (!hidesSigning && !namesAnother) return undefined;
  return fields => {
    const { signing_version, signing_tag, ...others } = fields;
    const info = hidesSigning ? others : fields;
    return namesAnother ? { ...info, genesis_hash: alter(info.genesis_hash) } : info;
  };
}

/** Changes the response to a broadcast. */
export function falsifyReceipt({ alteredHash }: Chaos): Falsify | undefined {
  return alteredHash
    ? fields => ({ ...fields, transaction_hash: alter(fields.transaction_hash) })
    : undefined;
}

/** The same hex with another first digit. */
function alter(hex: unknown): unknown {
  return typeof hex === 'string' ? `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}` : hex;
}

/** Changes a body that is a JSON object; returns any other unchanged. */
export async function rewrite(body: unknown, falsify: Falsify): Promise<string> {
  const text = await readText(body);
  try {
    const json = parseJson(text);
    return typeof json === 'object' && json !== null ? formatJson(falsify({ ...json })) : text;
  } catch {
    return text;
  }
}

async function readText(body: unknown): Promise<string> {
  if (body instanceof Readable) return Buffer.concat(await body.toArray()).toString();
  return Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : '';
}
