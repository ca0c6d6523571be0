// Checks one upload: the bytes that are read back from its review's pixels must equal the bytes sent.
import { readText } from '../../testkit/repository/repository.js';
import { readItems } from './items.js';
import type { Reviewer } from './reviewer.js';
import { splitTransaction } from './split.js';
import { type ReviewContext, readTransaction } from './transaction.js';
import { apdusOf, type Upload } from './upload.js';

const SIGNATURE = 64;

export const NETWORKS: ReadonlyMap<string, string> = new Map(
  (JSON.parse(readText('firmware/networks.json')) as { name: string; genesis_hash: string }[]).map(
    ({ name, genesis_hash }) => [genesis_hash, name],
  ),
);

/** Data that a review without details omits, and data that no review shows. */
function givenOf(upload: Upload, withDetails: boolean): ReviewContext {
  const { publicKey, timestamp, ...main } = splitTransaction(upload.transaction);
  const linked =
    upload.linked.length > 0 ? splitTransaction(upload.linked.subarray(0, -SIGNATURE)) : undefined;
  const binary = new Map<string, Uint8Array>();
  const keep = (title: string, bytes: Buffer | undefined): void => {
    if (bytes) binary.set(title, bytes);
  };
  keep('Message', main.message);
  keep('Escrow instruction', (linked ?? main).instruction);
  keep('Escrow message', linked?.message);
  return {
    genesisHash: upload.genesisHash,
    binary,
    networks: NETWORKS,
    token: upload.token,
    ...(!withDetails && { hidden: { publicKey, timestamp, ...(linked && { linked }) } }),
    ...(linked && {
      linked: {
        feeInToken: linked.body.subarray(16),
        signature: upload.linked.subarray(-SIGNATURE),
      },
    }),
  };
}

/** Returns whether the upload was accepted; throws if the screens differ from the bytes sent. */
export function checkUpload(reviewer: Reviewer, withDetails: boolean, upload: Upload): boolean {
  const pages = reviewer.review(apdusOf(upload));
  if (!pages) return false;
  const read = readTransaction(readItems(pages), givenOf(upload, withDetails));
  if (!read.transaction.equals(upload.transaction))
    throw new Error('the transaction that is read differs from the one sent');
  if (!read.linked.equals(upload.linked))
    throw new Error('the linked transaction that is read differs from the one sent');
  if (withDetails && read.account !== upload.account)
    throw new Error('the account index that is read differs from the one sent');
  return true;
}
