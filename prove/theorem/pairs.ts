// Compares pairs of inputs in the shipped module: pairs with equal default screens for each open part, and
// any two inputs of a pool of neighbours.
import { createHash } from 'node:crypto';
import { type Numbers, pick, seededNumbers } from '../../testkit/chain/numbers.js';
import { randomRequests } from '../../testkit/chain/random-transaction.js';
import { u64 } from '../../testkit/crypto/little-endian.js';
import { detailsCases, transactions } from '../../testkit/repository/vectors.js';
import { UnprovenClaim } from '../control.js';
import { OWN_ACCOUNTS } from '../differential/case/accounts.js';
import { joinLayout, type Layout, layoutByKinds, segmentOf } from '../differential/case/layout.js';
import { LAYOUT_EDITS, put } from '../differential/case/layout-edits.js';
import { apdusOf, type Upload, uploadOf, uploadOfVector } from '../differential/case/upload.js';
import { UPLOAD_EDITS, withLinked } from '../differential/case/upload-edits.js';
import { Reviewer } from '../read-back/reviewer.js';
import { messageCases } from '../read-back/work.js';
import { differences, partsOfInput, shownOf } from './inputs.js';

const SEED = 20261126;
const SIGNATURE = 64;
const NEIGHBOURS = 8;
const COIN = 10n ** 8n;

type Edit = (layout: Layout, numbers: Numbers, donor: Layout) => Layout;

function edited(upload: Upload, edit: Edit, numbers: Numbers, donor: Upload): Upload {
  const [layout, other] = [upload, donor].map(each => layoutByKinds(each.transaction)!) as [Layout, Layout];
  return { ...upload, transaction: joinLayout(edit(layout, numbers, other)) };
}

function linkedEdited(upload: Upload, edit: (layout: Layout) => Layout): Upload {
  if (upload.linked.length === 0) return upload;
  const layout = layoutByKinds(upload.linked.subarray(0, -SIGNATURE))!;
  return withLinked(upload, Buffer.concat([joinLayout(edit(layout)), upload.linked.subarray(-SIGNATURE)]));
}

/** Returns the same upload for another account of the user. */
function ofAccount(upload: Upload, account: number): Upload {
  const own = Buffer.from(OWN_ACCOUNTS[account]!.payload);
  const approved = linkedEdited(upload, layout => put(layout, 'approver payload', own));
  const transaction = joinLayout(put(layoutByKinds(approved.transaction)!, 'sender payload', own));
  return { ...approved, transaction, account };
}

function flipped(bytes: Uint8Array, numbers: Numbers): Buffer {
  const copy = Buffer.from(bytes);
  copy[numbers(copy.length)]! ^= 1 << numbers(8);
  return copy;
}

/** Yields uploads with neighbouring numbers, with and without decimals, as amount and as fee. */
function* numbersBeside(upload: Upload): Generator<Upload> {
  const layout = layoutByKinds(upload.transaction)!;
  for (const start of [0n, 1n, 10n, 2n ** 32n, 2n ** 64n / COIN].map(each => each * COIN))
    for (let i = 0n; i < 20n; i++)
      for (const name of ['body', 'fee'] as const)
        yield { ...upload, transaction: joinLayout(put(layout, name, u64(BigInt.asUintN(64, start + i)))) };
}

function neighbour(upload: Upload, numbers: Numbers, donor: Upload): Upload {
  const { linked, transaction } = upload;
  const kind = numbers(5);
  if (kind === 0) return { ...upload, genesisHash: flipped(upload.genesisHash, numbers) };
  if (kind === 1) return ofAccount(upload, numbers(OWN_ACCOUNTS.length));
  if (kind === 2) return { ...upload, transaction: flipped(transaction, numbers) };
  if (kind === 3) return edited(upload, pick(numbers, Object.values(LAYOUT_EDITS)), numbers, donor);
  return linked.length > 0 && numbers(2) === 0
    ? withLinked(upload, flipped(linked, numbers))
    : UPLOAD_EDITS['an edited linked transaction and its hash']!(upload, numbers, donor);
}

/** The screens of inputs, in one setting. */
class Screens {
  readonly #reviewer: Reviewer;
  readonly #open: readonly string[];
  readonly #met = new Map<string, string>();
  readonly #drawn = new Map<string, string>();

  constructor(reviewer: Reviewer, open: readonly string[]) {
    [this.#reviewer, this.#open] = [reviewer, open];
  }

  /** Returns a hash of the frames; undefined if the input is refused. */
  frames(upload: Upload): string | undefined {
    const frames = this.#reviewer.frames(apdusOf(upload));
    return frames && createHash('sha256').update(Buffer.concat(frames)).digest('hex');
  }

  /**
   * Adds an input and returns whether it is accepted; inputs have equal frames exactly if they differ only in
   * open parts.
   */
  add(upload: Upload): boolean {
    const frames = this.frames(upload);
    if (frames === undefined) return false;
    const shown = shownOf(partsOfInput(upload), this.#open);
    const before = this.#met.get(frames) ?? shown;
    if (before !== shown) throw new UnprovenClaim(`two inputs have the same frames: ${before} and ${shown}`);
    this.#met.set(frames, shown);
    const key = shown + JSON.stringify(upload.token ?? {});
    if ((this.#drawn.get(key) ?? frames) !== frames)
      throw new UnprovenClaim(`two inputs that differ only in open parts have different frames: ${shown}`);
    this.#drawn.set(key, frames);
    return true;
  }

  get count(): number {
    return this.#drawn.size;
  }
}

export interface Settings {
  shown: Screens;
  hidden: Screens;
}

export function openSettings(open: readonly string[], path: string): Settings {
  const [shown, hidden] = [new Reviewer(true, path), new Reviewer(false, path)];
  return { shown: new Screens(shown, []), hidden: new Screens(hidden, open) };
}

/** Pairs with equal default screens. */
function alikePairs(): [name: string, Upload, Upload][] {
  const of = (each: (typeof detailsCases)[0], alike: object) => uploadOfVector({ ...each, ...alike });
  const [first, approval] = [detailsCases[0]!, detailsCases.at(-1)!].map(each => of(each, {})) as [
    Upload,
    Upload,
  ];
  const later = Buffer.from(first.transaction);
  later[5]! ^= 1;
  const otherFlag = linkedEdited(approval, layout => {
    const body = Buffer.from(segmentOf(layout, 'body')!);
    body[16]! ^= 1;
    return put(layout, 'body', body);
  });
  return [
    ...detailsCases.map((each): [string, Upload, Upload] => [each.name, of(each, {}), of(each, each.alike)]),
    ['two accounts of the user', first, ofAccount(first, 1)],
    ['two accounts of the user that decide', approval, ofAccount(approval, 1)],
    ['two timestamps', first, { ...first, transaction: later }],
    ['two linked flags', approval, otherFlag],
  ];
}

/**
 * Compares, for each open part, two inputs with equal default frames, whose frames with details must differ.
 */
export function proveAlike({ shown, hidden }: Settings, open: readonly string[]): number {
  const pairs = alikePairs();
  const met = new Set<string>();
  for (const [name, first, second] of pairs) {
    const [a, b] = [first, second].map(each => hidden.frames(each));
    if (a === undefined || b === undefined || a !== b)
      throw new UnprovenClaim(`${name} have different default frames`);
    if (shown.frames(first) === shown.frames(second))
      throw new UnprovenClaim(`${name} have equal frames with details`);
    for (const part of differences(partsOfInput(first), partsOfInput(second))) met.add(part);
  }
  const [found, listed] = [[...met], [...open]].map(each => each.sort().join(', '));
  if (found !== listed)
    throw new UnprovenClaim(`the pairs differ in ${found}, but the screens leave ${listed} open`);
  return pairs.length;
}

/** Compares any two of a pool of vectors, random inputs and their neighbours. */
export function provePool({ shown, hidden }: Settings, random: number): string {
  const bases = [
    ...transactions.cases.map(uploadOfVector),
    ...randomRequests(OWN_ACCOUNTS[0]!, random, SEED).map(uploadOf),
  ];
  const numbers = seededNumbers(SEED);
  const near = bases.flatMap(base =>
    Array.from({ length: NEIGHBOURS }, () => neighbour(base, numbers, pick(numbers, bases))),
  );
  const all = [...bases, ...messageCases(), ...numbersBeside(bases[0]!), ...near];
  for (const upload of all) if (shown.add(upload)) hidden.add(upload);
  const sent = all.length;
  return `${sent} inputs of a pool, of which ${shown.count} are accepted: with details, any two have different frames; ${hidden.count} are compared without details`;
}
