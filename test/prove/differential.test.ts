import * as reasons from '../../protocol/refusal-reasons.js';
import { judgeByChain } from '../../prove/differential/chain-judge.js';
import { DIFFERENCES } from '../../prove/differential/differences.js';
import { neighbours } from '../../prove/differential/exhaustive.js';
import { Judges, type Judging } from '../../prove/differential/judgement.js';
import { layoutByKinds, layoutsOf, segmentOf } from '../../prove/differential/layout.js';
import { type Outcome, runRandom, runVectors } from '../../prove/differential/run.js';
import { transactions } from '../support/vectors.js';

const CASES = 4000;

async function judged<T>(use: (judges: Judges) => Promise<T>, judging?: Judging): Promise<T> {
  const judges = await Judges.start(judging);
  try {
    return await use(judges);
  } finally {
    judges.stop();
  }
}

const kebab = (name: string) => name.toLowerCase().replaceAll('_', '-');

/** Of the header, or of another command; a linked buffer's size is nearly always a difference, as only the signer is sent one. */
const ELSEWHERE = [
  'LINKED_TOO_LARGE',
  'HEADER_LENGTH',
  'ACCOUNT_RANGE',
  'TOKEN_DECIMALS',
  'TOKEN_SYMBOL',
  'MORE_THAN_DECLARED',
  'UNKNOWN_CHAIN',
  'MESSAGE_LENGTH',
  'NOT_TEXT',
].map(kebab);

function classesOf({ tally }: Outcome, prefix: string): string[] {
  return [...tally.counts.keys()].filter(name => name.startsWith(prefix));
}

describe('the same bytes put to firmware, chain/ and node', () => {
  let vectors: Outcome;
  let random: Outcome;
  beforeAll(async () => {
    vectors = await judged(judges => runVectors(judges, 'some', 'two'));
    random = await judged(judges => runRandom(judges, 7, count => count < CASES));
  }, 120_000);

  test('every bit flip, truncation and one-byte insertion of every vector is judged alike', () => {
    expect(vectors.report).toBeUndefined();
    const bytes = transactions.cases.map(({ tx }) => tx.length / 2).reduce((sum, length) => sum + length);
    // Eight bits to flip, one end to cut, and at the least five new bytes to insert a place.
    expect(vectors.tally.total).toBeGreaterThan(bytes * 14);
  });

  test('random and mutated transactions are judged alike, but for the differences with a name', () => {
    expect(random.report).toBeUndefined();
    expect(random.tally.total).toBe(CASES);
  });

  test('every reason to refuse a transaction is among them', () => {
    const seen = [vectors, random].flatMap(outcome => classesOf(outcome, 'refused: '));
    const named = new Set(seen.map(name => name.replace('refused: ', '')));
    const wanted = Object.keys(reasons).map(kebab);
    const missing = wanted.filter(reason => !named.has(reason) && !ELSEWHERE.includes(reason));
    expect(missing).toEqual([]);
  });

  test('transactions of every type are shown', () => {
    const types = ['shown: Approve escrow', 'shown: Send ZBC', 'shown: Send token'];
    expect(classesOf(vectors, 'shown: ').sort()).toEqual(types);
    expect(classesOf(random, 'shown: ').sort()).toEqual(types);
  });
});

describe('the proof itself', () => {
  test('finds and reduces a decoder that takes a version 2', async () => {
    const judgeChain: typeof judgeByChain = (upload, own) => {
      const transaction = Buffer.from(upload.transaction);
      if (transaction[4] === 2) transaction[4] = 1;
      return judgeByChain({ ...upload, transaction }, own);
    };
    const { report = [] } = await judged(judges => runRandom(judges, 7, () => true), { judgeChain });
    expect(report[0]).toBe('FAULT: the firmware and the decoder of chain/ part');
    expect(report.find(line => line.startsWith('transaction'))).toMatch(/^transaction {2}[0-9a-f]{8}02/);
    expect(report.find(line => line.startsWith('firmware'))).toMatch(/ version$/);
    expect(report.find(line => line.startsWith('chain'))).not.toMatch(/ version$/);
    expect(report.find(line => line.startsWith('node'))).toMatch(/ refuses: /);
    expect(report.at(-1)).toMatch(/^edits {8}.*another version \(\d+\)/);
  });

  test('finds a difference that has no name', async () => {
    const differences = DIFFERENCES.filter(({ name }) => name !== 'a fee below the network minimum');
    const { report = [] } = await judged(judges => runRandom(judges, 7, () => true), { differences });
    expect(report[0]).toBe('FAULT: only the signer takes it');
    expect(report.find(line => line.startsWith('node'))).toMatch(/fee too low/);
  });
});

describe('neighbours', () => {
  test('are every flip, every truncation and every insertion, each once', () => {
    const all = [...neighbours(Buffer.of(0x0a, 0x0b), 'all')].map(bytes => bytes.toString('hex'));
    expect(all.filter(hex => hex.length === 4)).toHaveLength(16);
    expect(new Set(all.filter(hex => hex.length === 4)).size).toBe(16);
    expect(all.filter(hex => hex.length < 4)).toEqual(['', '0a']);
    expect(new Set(all.filter(hex => hex.length === 6)).size).toBe(3 * 256 - 2);
  });
});

describe('layoutsOf', () => {
  test.each(transactions.cases.map(({ name, tx }) => [name, tx]))(
    'splits "%s" back into its fields',
    (_, tx) => {
      const layout = layoutByKinds(Buffer.from(tx, 'hex'))!;
      expect(Buffer.concat(layout.map(({ bytes }) => bytes)).toString('hex')).toBe(tx);
      expect(segmentOf(layout, 'sender kind')!.toString('hex')).toBe('00000000');
    },
  );

  test('finds nothing in bytes that do not end with the message', () => {
    const bytes = Buffer.from(transactions.cases[0]!.tx, 'hex');
    expect(layoutsOf(bytes.subarray(0, -1))).toEqual([]);
    expect(layoutsOf(Buffer.concat([bytes, Buffer.of(0)]))).toEqual([]);
  });
});
