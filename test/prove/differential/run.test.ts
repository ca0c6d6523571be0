import * as reasons from '@zbc-signer/protocol/refusal-reasons';
import { neighbours } from '../../../prove/differential/case/exhaustive.js';
import { layoutByKinds, layoutsOf, segmentOf } from '../../../prove/differential/case/layout.js';
import { type OracleOptions, Oracles } from '../../../prove/differential/comparison.js';
import { DIFFERENCES } from '../../../prove/differential/differences.js';
import { chainVerdict } from '../../../prove/differential/oracle/verdict.js';
import { type Outcome, runRandom, runVectors } from '../../../prove/differential/run.js';
import { caseCount } from '../../../testkit/repository/case-count.js';
import { transactions } from '../../../testkit/repository/vectors.js';

const CASES = caseCount(20_000);
/** Tests every fourth vector, or all of them. */
const STEP = caseCount(10) === 10 ? 1 : 4;
const VECTORS = transactions.cases.filter((_, at) => at % STEP === 0);

async function compared<T>(use: (oracles: Oracles) => Promise<T>, options?: OracleOptions): Promise<T> {
  const oracles = await Oracles.start(options);
  try {
    return await use(oracles);
  } finally {
    oracles.stop();
  }
}

const kebab = (name: string) => name.toLowerCase().replaceAll('_', '-');

/**
 * Differences of the header, or of another command. The size of a linked buffer is nearly always a
 * difference, because only the signer receives such a buffer.
 */
const OTHERWISE_TESTED = [
  'LINKED_TOO_LARGE',
  'HEADER_LENGTH',
  'ACCOUNT_RANGE',
  'TOKEN_DECIMALS',
  'TOKEN_SYMBOL',
  'MORE_THAN_DECLARED',
  'UNKNOWN_CHAIN',
  'BAD_MESSAGE_LENGTH',
  'NOT_TEXT',
  // Only the signer knows contacts and commitments.
  'CONTACT_NAME',
  'CONTACT_PROOF',
  'CONTACT_UNEXPECTED',
  'CONTACT_REQUIRED',
  'REVEAL_MISMATCH',
].map(kebab);

function classesOf({ tally }: Outcome, prefix: string): string[] {
  return [...tally.counts.keys()].filter(name => name.startsWith(prefix));
}

describe('the same bytes given to firmware, chain/ and node', () => {
  let vectors: Outcome;
  let random: Outcome;
  beforeAll(async () => {
    vectors = await compared(oracles => runVectors(oracles, 'some', 'two', VECTORS));
    random = await compared(oracles => runRandom(oracles, 7, CASES));
  });

  test('get equal verdicts for every bit flip, truncation and one-byte insertion of the vectors', () => {
    expect(vectors.report).toBeUndefined();
    const bytes = VECTORS.map(({ tx }) => tx.length / 2).reduce((sum, length) => sum + length);
    // At each place there are eight bits to flip, one end to cut, and at least five bytes to insert.
    expect(vectors.tally.total).toBeGreaterThan(bytes * 14);
  });

  test('get equal verdicts for random and mutated transactions, apart from listed differences', () => {
    expect(random.report).toBeUndefined();
    expect(random.tally.total).toBe(CASES);
  });

  test('include a case for every reason to refuse a transaction', () => {
    const seen = [vectors, random].flatMap(outcome => classesOf(outcome, 'refused: '));
    const named = new Set(seen.map(name => name.replace('refused: ', '')));
    const wanted = Object.keys(reasons).map(kebab);
    const missing = wanted.filter(reason => !named.has(reason) && !OTHERWISE_TESTED.includes(reason));
    expect(missing).toEqual([]);
  });

  test('include shown transactions of every type', () => {
    const types = ['shown: Approve escrow', 'shown: Send ZBC', 'shown: Send token'];
    expect(classesOf(vectors, 'shown: ').sort()).toEqual(types);
    expect(classesOf(random, 'shown: ').sort()).toEqual(types);
  });
});

describe('the comparison itself', () => {
  test('finds a decoder that accepts version 2, and reduces the example', async () => {
    const askChain: typeof chainVerdict = (upload, own) => {
      const transaction = Buffer.from(upload.transaction);
      if (transaction[4] === 2) transaction[4] = 1;
      return chainVerdict({ ...upload, transaction }, own);
    };
    const { report = [] } = await compared(oracles => runRandom(oracles, 7, Number.POSITIVE_INFINITY), {
      askChain,
    });
    expect(report[0]).toBe('FAULT: the firmware and the decoder of chain/ disagree');
    expect(report.find(line => line.startsWith('transaction'))).toMatch(/^transaction {2}[0-9a-f]{8}02/);
    expect(report.find(line => line.startsWith('firmware'))).toMatch(/ bad-version$/);
    expect(report.find(line => line.startsWith('chain'))).not.toMatch(/ bad-version$/);
    expect(report.find(line => line.startsWith('node'))).toMatch(/ refuses: /);
    expect(report.at(-1)).toMatch(/^edits {8}.*another version \(\d+\)/);
  });

  test('finds a difference that has no name', async () => {
    const differences = DIFFERENCES.filter(({ name }) => name !== 'a fee below the network minimum');
    const { report = [] } = await compared(oracles => runRandom(oracles, 7, Number.POSITIVE_INFINITY), {
      differences,
    });
    expect(report[0]).toBe('FAULT: only the signer accepts it');
    expect(report.find(line => line.startsWith('node'))).toMatch(/fee too low/);
  });
});

describe('the neighbours of a transaction', () => {
  test('are every bit flip, truncation and insertion, each of them once', () => {
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

  test('finds no layout for bytes that do not end with the message', () => {
    const bytes = Buffer.from(transactions.cases[0]!.tx, 'hex');
    expect(layoutsOf(bytes.subarray(0, -1))).toEqual([]);
    expect(layoutsOf(Buffer.concat([bytes, Buffer.of(0)]))).toEqual([]);
  });
});
