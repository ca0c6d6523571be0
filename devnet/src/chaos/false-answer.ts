import { Readable } from 'node:stream';
import { formatJson, parseJson } from '@zbc-signer/chain';
import type { Chaos } from './chaos.js';

type Fields = Record<string, unknown>;
export type Falsify = (fields: Fields) => Fields;

/**
 * Returns the function that changes a node/info response. `asksOneNode` is true if the request names a node
 * by its hostname. Returns undefined if nothing is changed.
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

/** Returns the function that changes the response to a broadcast; undefined if nothing is changed. */
export function falsifyReceipt({ alteredHash }: Chaos): Falsify | undefined {
  return alteredHash
    ? fields => ({ ...fields, transaction_hash: alter(fields.transaction_hash) })
    : undefined;
}

/** Changes the first digit of a hex string. */
function alter(hex: unknown): unknown {
  return typeof hex === 'string' ? `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}` : hex;
}

/** Applies `falsify` to a body that is a JSON object. Returns any other body unchanged. */
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
