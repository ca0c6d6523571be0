import { createHash } from 'node:crypto';
import { type Numbers, pick } from '../../../testkit/chain/numbers.js';
import { joinLayout, layoutByKinds } from './layout.js';
import { LAYOUT_EDITS } from './layout-edits.js';
import { RAW_EDITS } from './raw-edits.js';
import type { Upload } from './upload.js';

/** Changes the parts of an upload other than the transaction; `donor` is another upload. */
type UploadEdit = (upload: Upload, numbers: Numbers, donor: Upload) => Upload;

const SIGNATURE = 64;
const HASH = 32;
/** Offset of the hash in an approval's body, after 65 bytes of fields 1 to 7 and the decision. */
const HASH_AT = 69;

/** Replaces the linked bytes, and their hash in the approval. */
export function withLinked(upload: Upload, linked: Buffer): Upload {
  const transaction = Buffer.from(upload.transaction);
  createHash('sha3-256').update(linked).digest().copy(transaction, HASH_AT);
  return { ...upload, transaction, linked };
}

function isApproval({ transaction }: Upload): boolean {
  return transaction.length >= HASH_AT + HASH && transaction.readUInt32LE() === 4;
}

function editRaw(linked: Buffer, numbers: Numbers): Buffer {
  return pick(numbers, Object.values(RAW_EDITS))(linked, numbers);
}

/** Edits a segment of the escrowed transaction, without changing its signature. */
function editLayout(linked: Buffer, numbers: Numbers, donor: Buffer): Buffer {
  const layout = layoutByKinds(linked.subarray(0, -SIGNATURE));
  const other = layoutByKinds(donor.subarray(0, -SIGNATURE));
  if (layout === undefined) return linked;
  const edited = pick(numbers, Object.values(LAYOUT_EDITS))(layout, numbers, other ?? layout);
  return Buffer.concat([joinLayout(edited), linked.subarray(-SIGNATURE)]);
}

/** Edits by name; the report of a fault lists the names. */
export const UPLOAD_EDITS: Readonly<Record<string, UploadEdit>> = {
  'no linked bytes': upload => ({ ...upload, linked: Buffer.alloc(0) }),
  'the linked bytes of another upload': (upload, _numbers, donor) => ({ ...upload, linked: donor.linked }),
  'other linked bytes': (upload, numbers) => ({ ...upload, linked: editRaw(upload.linked, numbers) }),
  'other linked bytes and their hash': (upload, numbers) =>
    isApproval(upload) ? withLinked(upload, editRaw(upload.linked, numbers)) : upload,
  'an edited linked transaction and its hash': (upload, numbers, donor) =>
    isApproval(upload) ? withLinked(upload, editLayout(upload.linked, numbers, donor.linked)) : upload,
  'token details': upload => ({ ...upload, token: { decimals: 2, symbol: 'TKN' } }),
};
