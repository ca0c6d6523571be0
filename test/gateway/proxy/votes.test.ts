import { fixedQuestionOf } from '#gateway/cache/fixed-question.js';
import { judge, voteOf } from '#gateway/proxy/votes.js';
import type { KnownNode } from '#gateway/upstream/node-directory.js';

const HASH = 'ab'.repeat(32);
const QUESTION = fixedQuestionOf(`/api/v1/transactions/${HASH}/status`)!;
const BLOCK = fixedQuestionOf('/api/v1/blocks/5')!;
const CONFIRMED = { transaction_hash: HASH, status: 'confirmed', block_height: 5 };
const PENDING = { transaction_hash: HASH, status: 'mempool' };
const UNKNOWN = { success: false, error: 'Transaction not found', code: 404 };

interface Saying {
  says: object | '';
  status?: number;
  height?: bigint;
  source?: 'static' | 'registry';
}

/** Judges what nodes say, and gives the index of the answer and those of the minority. */
function judged(sayings: Saying[], question = QUESTION) {
  const answers = sayings.map(
    ({ says, status = says === UNKNOWN ? 404 : 200, height = 10n, source = 'static' }, port) => {
      const body = Buffer.from(says === '' ? '' : JSON.stringify(says));
      const health = { answers: true, height, checkedAtMs: 1 };
      const node = { ip: '192.0.2.1', port, role: 'full', source, health } as unknown as KnownNode;
      return { node, answer: { status, headers: {}, body, contentLength: body.length } };
    },
  );
  const verdict = judge(answers.flatMap(answer => voteOf(question, answer) ?? []));
  return verdict && [verdict.given?.node.port, verdict.minority.map(({ port }) => port), verdict.isSettled];
}

const claim = { says: CONFIRMED };
const lie = { says: { ...CONFIRMED, block_height: 4 } };
const denial = { says: UNKNOWN };
const pending = { says: PENDING };

it('the answer is what most say, and those that say something else are the minority', () => {
  expect(judged([lie, claim, claim])).toEqual([1, [0], true]);
  expect(judged([claim, denial, claim])).toEqual([0, [1], true]);
  expect(judged([claim, pending, claim])).toEqual([0, [1], true]);
  expect(judged([claim, denial, denial])).toEqual([1, [0], true]);
  expect(judged([claim, { ...claim }])).toEqual([0, [], true]);
  expect(judged([claim])).toEqual([0, [], false]);
});

it('is not decided while as many say one thing as another', () => {
  expect(judged([claim, lie])).toEqual([undefined, [], false]);
  expect(judged([claim, denial])).toEqual([undefined, [], false]);
  expect(judged([claim, lie, claim, lie])).toEqual([undefined, [], false]);
});

it('a node that has not got so far denies in good faith', () => {
  const behind = { ...denial, height: 5n };
  expect(judged([behind, claim, claim])).toEqual([1, [], true]);
  expect(judged([behind, claim])).toEqual([1, [], false]);
  // What most know nothing of yet is not passed on as confirmed, but may be.
  expect(judged([claim, behind, behind])).toEqual([1, [], true]);
  expect(judged([behind, { ...denial, height: 6n }, claim, claim])).toEqual([2, [1], false]);
});

it('what is not sure is no vote', () => {
  for (const unsure of [
    { says: '', status: 404 } as const,
    { says: UNKNOWN, status: 500 },
    { says: { ...CONFIRMED, escrow_status: 'held' } },
    { says: { ...CONFIRMED, more: 1 } },
    { says: { ...CONFIRMED, block_height: 10 } },
    { says: { ...CONFIRMED, transaction_hash: 'cd'.repeat(32) } },
  ]) {
    expect(judged([unsure, claim])).toEqual([1, [], false]);
    expect(judged([unsure, unsure])).toBeUndefined();
  }
  expect(judged([denial, denial])).toBeUndefined();
});

it('registered nodes have no say where one of the operator has', () => {
  const registered = { ...lie, source: 'registry' } as const;
  expect(judged([registered, registered, claim])).toEqual([2, [0, 1], false]);
  expect(judged([registered, registered, { ...claim, source: 'registry' }])).toEqual([0, [2], true]);
});

it('the order of fields and the absence of a token say nothing', () => {
  const { transaction_hash, status, block_height } = CONFIRMED;
  expect(judged([claim, { says: { block_height, status, transaction_hash } }])).toEqual([0, [], true]);
  const token = fixedQuestionOf('/api/v1/tokens/1')!;
  const fixed = { says: { token_id: 1, name: 'AMBER' } };
  expect(judged([fixed, denial, denial], token)).toEqual([0, [], false]);
  expect(judged([fixed, { says: { token_id: 1, name: 'AMBRE' } }, fixed], token)).toEqual([0, [1], true]);
});

it('blocks are compared with all that is in them', () => {
  const block = {
    height: 5,
    block_hash: 'aa',
    transactions: [{ transaction_hash: HASH, status: 'confirmed', block_height: 5 }],
  };
  const altered = { ...block, transactions: [{ ...block.transactions[0], fee: 1 }] };
  expect(judged([{ says: block }, { says: altered }, { says: block }], BLOCK)).toEqual([0, [1], true]);
});
