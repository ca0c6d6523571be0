// Checks the names of kinds of accounts, which no proof covers, in the pixels of the shipped module.
import { ACCOUNT_KINDS, encodeAddress, KIND_NONE, KIND_ZBC } from '@zbc-signer/chain';
import { u32 } from '../../testkit/crypto/little-endian.js';
import { detailsCases } from '../../testkit/repository/vectors.js';
import { UnprovenClaim } from '../control.js';
import { joinLayout, layoutByKinds } from '../differential/case/layout.js';
import { put } from '../differential/case/layout-edits.js';
import { apdusOf } from '../differential/case/upload.js';
import { readItems } from '../read-back/items.js';
import { Reviewer } from '../read-back/reviewer.js';

const PAYLOAD = 5;

/** Checks an account of each kind as the recipient, and of each kind that may approve. */
export function proveKinds(path: string): number {
  const reviewer = new Reviewer(true, path);
  const { account, genesis, tx } = detailsCases.find(each => each.name === 'two binary escrow instructions')!;
  const upload = { account, genesisHash: Buffer.from(genesis, 'hex'), linked: Buffer.of() };
  const layout = layoutByKinds(Buffer.from(tx, 'hex'))!;
  let count = 0;
  for (const [kind, { name, payloadLength }] of ACCOUNT_KINDS.entries())
    for (const [whose, title] of [
      ['recipient', 'Recipient'],
      ['approver', 'Escrow approver'],
    ] as const) {
      if (kind === KIND_NONE || (whose === 'approver' && payloadLength !== 32)) continue;
      const payload = Buffer.from(Array.from({ length: payloadLength }, (_, i) => PAYLOAD * (i + kind)));
      const changed = put(put(layout, `${whose} kind`, u32(kind)), `${whose} payload`, payload);
      const pages = reviewer.review(apdusOf({ ...upload, transaction: joinLayout(changed) }))!;
      const found = readItems(pages).find(each => each.title === title)?.value;
      const wanted = kind === KIND_ZBC ? encodeAddress(payload) : `${name} ${payload.toString('hex')}`;
      if (found !== wanted) throw new UnprovenClaim(`an account of kind ${kind} is shown as ${found}`);
      count++;
    }
  return count;
}
