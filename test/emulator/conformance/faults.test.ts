import { allChecks, readCases, runChecks } from '@zbc-signer/emulator/conformance';
import { BOARD_FAULTS } from '../../../testkit/conformance/board-faults.js';
import { type BoardParts, ModelBoard } from '../../../testkit/conformance/model-board.js';
import { someOf } from '../../../testkit/repository/case-count.js';

const cases = readCases();
const groups = allChecks(cases);
const { mnemonic } = cases;
const names = Object.keys(BOARD_FAULTS);
const tried = someOf(names, 5);

test('a board without a fault passes every check', async () => {
  const results = await runChecks(new ModelBoard(), groups, { mnemonic });
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  const applying = groups.filter(({ applies }) => applies === undefined);
  expect(results.length).toBe(applying.flatMap(({ checks }) => checks).length);
  expect(results.length).toBeGreaterThan(120);
});

describe('a panel', () => {
  const panel = groups.filter(({ name }) => name === 'panel');
  const failuresOf = async (parts: BoardParts) => {
    // The first check is included, because its failure would end the run.
    const chosen = [...groups.slice(0, 1), ...panel];
    const results = await runChecks(new ModelBoard(parts), chosen, { mnemonic });
    return results.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name);
  };
  const [unseen, bouncing, long, apart, early, late, before] = panel[0]!.checks.map(({ name }) => name);

  test('without a fault passes', async () => {
    expect(await failuresOf({ panel: {} })).toEqual([]);
  });

  test.each([
    ['decides on a page that was not shown', [unseen, before]],
    ['does not debounce', [bouncing]],
    ['repeats a key that is held', [long]],
    ['takes two keys that are let go apart one by one', [apart]],
    ['counts a press that began before its page was shown', [early, late]],
    ['takes the answer to the page before for one to this page', [before]],
  ])('that %s fails in that alone', async (fault, failures) => {
    expect(await failuresOf(BOARD_FAULTS[fault]!())).toEqual(failures);
  });
});

test('a run ends after the first group when the display is wrong there', async () => {
  const board = new ModelBoard(BOARD_FAULTS['shows white for black']!());
  const results = await runChecks(board, groups, { mnemonic });
  expect(new Set(results.map(({ group }) => group))).toEqual(new Set(['identity']));
});

test.each([0, 1, 3])('power that can be cut %i times leaves no setting changed', async limit => {
  const board = new ModelBoard();
  const cut = board.cut.bind(board);
  let cuts = 0;
  board.cut = async () => {
    cuts += 1;
    if (cuts > limit) throw new Error('Command failed: false');
    return cut();
  };
  const chosen = groups.flatMap(({ name, checks }) =>
    name === 'power' ? [{ name, checks: checks.slice(-1) }] : [],
  );
  expect(await runChecks(board, chosen, { mnemonic })).toMatchObject([
    { name: 'a cut keeps the settings', outcome: 'failed', detail: 'Command failed: false' },
  ]);
  const after = groups.filter(({ name }) => ['identity', 'settings'].includes(name));
  const results = await runChecks(board, after, { mnemonic });
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
});

test('an answer that is held up once on its way is no fault of the board', async () => {
  let answers = 0;
  const delayMs = (reviews: boolean) => {
    answers += Number(reviews);
    return reviews && answers === 1 ? 1500 : 0;
  };
  const busy = groups.filter(({ name }) => name === 'busy');
  const results = await runChecks(new ModelBoard({ delayMs }), busy, { mnemonic });
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(answers).toBeGreaterThan(1);
});

test('there are more than thirty faults', () => {
  expect(names.length).toBeGreaterThan(30);
});

// Waiting for missing replies takes most of the time.
describe('fails a board that', () => {
  const runs = new Map<string, Promise<string>>();

  beforeAll(() => {
    for (const name of tried) {
      const run = runChecks(new ModelBoard(BOARD_FAULTS[name]!()), groups, { mnemonic, stopsEarly: true });
      runs.set(
        name,
        run.then(results => results.at(-1)!.outcome),
      );
    }
  });

  test.each(tried)('%s', async name => {
    expect(await runs.get(name)).toBe('failed');
  });
});
