import { applyEdits, type RandomCase } from './case/random-case.js';
import type { Upload } from './case/upload.js';
import type { Comparison, Oracles } from './comparison.js';
import { describeVerdict } from './oracle/verdict.js';

/** Removes edits, then clears bytes, as long as the divergence stays the same. */
export async function minimise(oracles: Oracles, found: RandomCase): Promise<Upload> {
  const wanted = causeOf(await oracles.compare(applyEdits(found), 'three'));
  const keeps = async (upload: Upload) => causeOf(await oracles.compare(upload, 'three')) === wanted;
  const smaller = await withoutEdits(found, candidate => keeps(applyEdits(candidate)));
  return withoutBytes(applyEdits(smaller), keeps);
}

/** Returns a key that is equal for two comparisons with the same cause. */
function causeOf({ fault, device, chain }: Comparison): string {
  const reasons = [device, chain].map(verdict => ('refused' in verdict ? verdict.refused.reason : 'shown'));
  return [fault, ...reasons].join(' / ');
}

async function withoutEdits(
  found: RandomCase,
  keeps: (candidate: RandomCase) => Promise<boolean>,
): Promise<RandomCase> {
  for (const edit of found.edits) {
    const candidate = { ...found, edits: found.edits.filter(other => other !== edit) };
    if (await keeps(candidate)) return withoutEdits(candidate, keeps);
  }
  return found;
}

async function withoutBytes(upload: Upload, keeps: (candidate: Upload) => Promise<boolean>): Promise<Upload> {
  let smallest = upload;
  for (let at = 0; at < upload.transaction.length; at++) {
    const transaction = Buffer.from(smallest.transaction).fill(0, at, at + 1);
    const candidate = { ...smallest, transaction };
    if (!transaction.equals(smallest.transaction) && (await keeps(candidate))) smallest = candidate;
  }
  return smallest;
}

/** Describes an upload in hex, and the verdict of each oracle. */
export function describeFault(upload: Upload, comparison: Comparison): string[] {
  const { device, chain, node, fault } = comparison;
  const { account, transaction, linked, genesisHash, token } = upload;
  return [
    `FAULT: ${fault}`,
    `account      ${account}`,
    `genesis      ${Buffer.from(genesisHash).toString('hex')}`,
    `transaction  ${transaction.toString('hex')}`,
    ...(linked.length > 0 ? [`linked       ${linked.toString('hex')}`] : []),
    ...(token ? [`token        ${JSON.stringify(token)}`] : []),
    `firmware     ${describeVerdict(device)}`,
    `chain        ${describeVerdict(chain)}`,
    ...(node?.taken.map(({ operation }) => `node         accepts: ${operation.kind}`) ?? []),
    ...(node?.refused.map(text => `node         refuses: ${text}`) ?? []),
  ];
}
