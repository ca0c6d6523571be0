// Splits inputs into the grammar's parts, and removes the parts that the screens leave open.
import { createHash } from 'node:crypto';
import { u32 } from '../../testkit/crypto/little-endian.js';
import { type Layout, layoutByKinds, segmentOf } from '../differential/case/layout.js';
import type { Upload } from '../differential/case/upload.js';
import { NETWORKS } from '../read-back/check.js';
import { BODIES, COMMON, ESCROW } from './grammar.js';

const SIGNATURE = 64;

/** Returns the joined bytes of a field's segments. The field of an account has two segments. */
function bytesOf(layout: Layout, field: string): Buffer | undefined {
  const name = field === 'multiParty' ? 'multi-party' : field;
  const found = layout.filter(segment => segment.name.replace(/ (kind|payload)$/, '') === name);
  return found.length === 0 ? undefined : Buffer.concat(found.map(({ bytes }) => bytes));
}

function* partsOfTransaction(whose: string, layout: Layout): Generator<[string, Buffer]> {
  const isEscrowed = segmentOf(layout, 'approver payload') !== undefined;
  for (const field of [...COMMON, ...(isEscrowed ? ESCROW : [])]) {
    const bytes = field === 'hasEscrow' ? Buffer.of(Number(isEscrowed)) : bytesOf(layout, field);
    if (bytes) yield [`${whose}.${field}`, bytes];
  }
  const body = segmentOf(layout, 'body')!;
  const fields = Object.entries(BODIES[segmentOf(layout, 'type')!.readUInt32LE()]!);
  for (const [i, [field, start]] of fields.entries())
    yield [`${whose}.${field}`, body.subarray(start, fields[i + 1]?.[1])];
}

/** Returns an accepted input by its parts. */
export function partsOfInput({ account, genesisHash, transaction, linked }: Upload): Map<string, Buffer> {
  const parts = new Map([
    ['account', u32(account)],
    ['genesis', Buffer.from(genesisHash)],
    ...partsOfTransaction('own', layoutByKinds(transaction)!),
  ]);
  if (linked.length === 0) return parts;
  const unsigned = linked.subarray(0, -SIGNATURE);
  for (const [part, bytes] of partsOfTransaction('linked', layoutByKinds(unsigned)!)) parts.set(part, bytes);
  return parts.set('linked.signature', linked.subarray(-SIGNATURE));
}

const DIGITS = 4;
const isText = (bytes: Uint8Array) => bytes.every(byte => byte === 0x0a || (byte >= 0x20 && byte <= 0x7e));
const hashOf = (bytes: Uint8Array) => createHash('sha3-256').update(bytes).digest();
const binaryForm = (bytes: Uint8Array) =>
  `${bytes.length} bytes (binary) ${hashOf(bytes).toString('hex', 0, DIGITS)}`;

/**
 * Returns an input without its open parts. If the screen shows some digits of an open part, these digits
 * replace the part.
 */
export function shownOf(parts: ReadonlyMap<string, Buffer>, open: readonly string[]): string {
  const shown = [...parts].map(([part, bytes]) => {
    if (!open.includes(part)) return [part, bytes.toString('hex')];
    if (/message|instruction/.test(part))
      return [part, isText(bytes) ? bytes.toString('hex') : binaryForm(bytes)];
    if (part !== 'genesis') return [part, ''];
    const hash = bytes.toString('hex');
    return [part, NETWORKS.get(hash) ?? hash.slice(0, 2 * DIGITS)];
  });
  return JSON.stringify(shown);
}

/** Returns the parts in which two inputs differ. */
export function differences(a: ReadonlyMap<string, Buffer>, b: ReadonlyMap<string, Buffer>): string[] {
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].filter(part => !(a.get(part) ?? Buffer.of()).equals(b.get(part) ?? Buffer.of())).sort();
}
