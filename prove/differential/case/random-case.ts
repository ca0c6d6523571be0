import { type Numbers, pick, seededNumbers } from '../../../testkit/chain/numbers.js';
import { randomRequests } from '../../../testkit/chain/random-transaction.js';
import { OWN_ACCOUNTS } from './accounts.js';
import { joinLayout, type Layout, layoutByKinds, segmentOf } from './layout.js';
import { LAYOUT_EDITS, put } from './layout-edits.js';
import { RAW_EDITS } from './raw-edits.js';
import { type Upload, uploadOf } from './upload.js';
import { UPLOAD_EDITS } from './upload-edits.js';

/** An edit with the seed of its random numbers, so that it can be repeated without the other edits. */
interface Edit {
  name: string;
  seed: number;
}

/** A transaction that the signer accepts, and edits of it. */
export interface RandomCase {
  base: Upload;
  donor: Upload;
  edits: Edit[];
}

const POOL = 1000;
/**
 * Numbers of edits from which a case draws. Most cases have one edit, because several edits hide each other.
 */
const EDIT_COUNTS = [0, 1, 1, 1, 1, 1, 2, 2, 2, 3];
const MINIMUM_FEE = 2_500_000n;
const NETWORK_TOKENS = 14;

/** Edits of segments are listed twice, because there are many of them. */
const EDIT_NAMES = [LAYOUT_EDITS, LAYOUT_EDITS, RAW_EDITS, UPLOAD_EDITS].map(edits => Object.keys(edits));

/** Returns an endless sequence of cases, determined by the seed. */
export function* randomCases(seed: number): Generator<RandomCase> {
  const numbers = seededNumbers(seed);
  for (let round = 0; ; round++) {
    const requests = randomRequests(OWN_ACCOUNTS[0]!, POOL, seed + round);
    const pool = requests.map(request => payable(uploadOf(request), numbers));
    for (let i = 0; i < 10 * POOL; i++) {
      const edits = Array.from({ length: pick(numbers, EDIT_COUNTS) }, () => randomEdit(numbers));
      yield { base: pick(numbers, pool), donor: pick(numbers, pool), edits };
    }
  }
}

function randomEdit(numbers: Numbers): Edit {
  return { name: pick(numbers, pick(numbers, EDIT_NAMES)), seed: numbers(2 ** 31) };
}

/**
 * Gives nine of ten transactions a fee, a token and an instruction that the network accepts. Otherwise, these
 * fields would cause most refusals.
 */
function payable(upload: Upload, numbers: Numbers): Upload {
  const layout = layoutByKinds(upload.transaction);
  if (layout === undefined || numbers(10) === 0) return upload;
  return { ...upload, transaction: joinLayout(withAscii(withToken(withFee(layout), numbers))) };
}

function withFee(layout: Layout): Layout {
  const fee = Buffer.from(segmentOf(layout, 'fee')!);
  if (fee.readBigUInt64LE() < MINIMUM_FEE) fee.writeBigUInt64LE(fee.readBigUInt64LE() + MINIMUM_FEE);
  return put(layout, 'fee', fee);
}

function withToken(layout: Layout, numbers: Numbers): Layout {
  if (segmentOf(layout, 'type')!.readUInt32LE() !== 11) return layout;
  const body = Buffer.from(segmentOf(layout, 'body')!);
  body.writeBigInt64LE(1n + BigInt(numbers(NETWORK_TOKENS)));
  if (body.length > 16 && numbers(4) > 0) body[16] = 0;
  return put(layout, 'body', body);
}

function withAscii(layout: Layout): Layout {
  const instruction = segmentOf(layout, 'instruction') ?? Buffer.alloc(0);
  return put(layout, 'instruction', Buffer.from(instruction.map(byte => byte & 0x7f)));
}

/**
 * Returns the upload after the edits. Edits of segments are applied first, because they need valid segments.
 */
export function applyEdits({ base, donor, edits }: RandomCase): Upload {
  let layout = layoutByKinds(base.transaction)!;
  const other = layoutByKinds(donor.transaction)!;
  for (const { name, seed } of edits) {
    layout = LAYOUT_EDITS[name]?.(layout, seededNumbers(seed), other) ?? layout;
  }
  let upload: Upload = { ...base, transaction: joinLayout(layout) };
  for (const { name, seed } of edits) {
    const transaction = RAW_EDITS[name]?.(upload.transaction, seededNumbers(seed)) ?? upload.transaction;
    upload = { ...upload, transaction };
    upload = UPLOAD_EDITS[name]?.(upload, seededNumbers(seed), donor) ?? upload;
  }
  return upload;
}
