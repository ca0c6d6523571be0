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
    ['does not debounce both keys', [bouncing]],
    ['repeats a key that is held', [long]],
    ['repeats the left key', [long]],
    ['repeats both keys', [long]],
    ['repeats a key that is held for two seconds', [long]],
    ['takes two keys that are let go apart one by one', [apart]],
    ['takes two keys that are let go 150 ms apart one by one', [apart]],
    ['counts a press that began before its page was shown', [early, late]],
    ['counts a press of both keys that began before its page was shown', [early, late]],
    ['takes the answer to the page before for one to this page', [before]],
  ])('that %s fails only the checks for that fault', async (fault, failures) => {
    expect(await failuresOf(BOARD_FAULTS[fault]!())).toEqual(failures);
  });
});

test('a run does not wait long for a board that has failed a check', async () => {
  const board = new ModelBoard(BOARD_FAULTS['decides a review at its first press']!());
  const waits: boolean[] = [];
  let hurried = false;
  const hurry = () => {
    hurried = true;
  };
  Object.assign(board, { hurry });
  const some = groups.filter(({ name }) => ['identity', 'approval'].includes(name));
  await runChecks(board, some, { mnemonic, onResult: () => waits.push(hurried) });
  const first = waits.indexOf(true);
  expect(first).toBe(some[0]!.checks.length + 1);
});

test('a run ends after the first group if the display is wrong in that group', async () => {
  const board = new ModelBoard(BOARD_FAULTS['shows white for black']!());
  const results = await runChecks(board, groups, { mnemonic });
  expect(new Set(results.map(({ group }) => group))).toEqual(new Set(['identity']));
});

test('the first failure of a board that signs early is that verdict', async () => {
  const board = new ModelBoard(BOARD_FAULTS['decides a review at its first press']!());
  const results = await runChecks(board, groups, { mnemonic, stopsEarly: true });
  expect(results.filter(({ outcome }) => outcome === 'failed')).toMatchObject([
    { group: 'approval', detail: 'the signer signed before both buttons were pressed' },
  ]);
});

test.each([0, 1, 3])(
  'if power can be cut only %i times, the check fails but leaves the settings unchanged',
  async limit => {
    const board = new ModelBoard();
    const cutPower = board.cutPower.bind(board);
    let cuts = 0;
    board.cutPower = async () => {
      cuts += 1;
      if (cuts > limit) throw new Error('Command failed: false');
      return cutPower();
    };
    const chosen = groups.flatMap(({ name, checks }) =>
      name === 'power' ? [{ name, checks: checks.slice(-1) }] : [],
    );
    expect(await runChecks(board, chosen, { mnemonic })).toMatchObject([
      { name: 'a power cut keeps the settings', outcome: 'failed', detail: 'Command failed: false' },
    ]);
    const after = groups.filter(({ name }) => ['identity', 'settings'].includes(name));
    const results = await runChecks(board, after, { mnemonic });
    expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  },
);

test('a single reply that is delayed on the link is not reported as a fault of the board', async () => {
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

test('the model board has more than thirty faults', () => {
  expect(names.length).toBeGreaterThan(30);
});

// Waiting for missing replies takes most of the time.
describe('the checks fail a board that', () => {
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
