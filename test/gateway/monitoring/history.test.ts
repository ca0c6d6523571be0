import { classOf, DURATION_CLASSES, History, percentileOf } from '#gateway/monitoring/history.js';

const one = { ip: '192.0.2.1', port: 8884 };
const two = { ip: '192.0.2.2', port: 8885 };
const zeros = (count: number) => Array<number>(count).fill(0);
const nulls = (count: number) => Array<null>(count).fill(null);

let seconds: number;
const recorder = () => new History(() => seconds);

beforeEach(() => {
  seconds = 1_000_000;
});

test('shows the counts of each step', () => {
  const history = recorder();
  history.countAnswer(200, 4);
  history.countCacheRead('hit');
  seconds += 30;
  history.countAnswer(200, 4);
  history.countAnswer(204, 4);
  history.countAnswer(503, undefined);
  history.countCacheRead('miss');
  history.countCacheRead('shared');
  history.countAnswer(999, 1);
  seconds += 60;
  history.countAnswer(404, undefined);
  const { answers, cache_reads: reads, p50_ms: p50, nodes } = history.lastHour();
  expect(answers).toEqual({
    1: zeros(120),
    2: [...zeros(116), 1, 2, 0, 0],
    3: zeros(120),
    4: [...zeros(119), 1],
    5: [...zeros(117), 1, 0, 0],
  });
  expect(reads).toEqual({
    hit: [...zeros(116), 1, 0, 0, 0],
    shared: [...zeros(117), 1, 0, 0],
    miss: [...zeros(117), 1, 0, 0],
  });
  expect(p50.map(value => value !== null)).toEqual([
    ...Array<boolean>(116).fill(false),
    true,
    true,
    false,
    false,
  ]);
  expect(nodes).toEqual([]);
});

test('forgets counts after an hour', () => {
  const history = recorder();
  for (let step = 0; step < 1000; step += 1) {
    history.countAnswer(200, 1);
    seconds += 30;
  }
  expect(history.lastHour().answers['2']).toEqual([...Array<number>(119).fill(1), 0]);
  seconds += 119 * 30;
  expect(history.lastHour().answers['2']).toEqual(zeros(120));
});

test('shows the last height and the mean latency of the checks in each step, and gaps', () => {
  const history = recorder();
  const check = (answers: boolean, height = 0n, latencyMs = 0) => ({
    answers,
    height,
    latencyMs,
    checkedAtMs: 1,
  });
  history.keepOnly([one, two]);
  history.countCheck(one, check(true, 7n, 10));
  history.countCheck(one, check(true, 8n, 20));
  history.countCheck({ ip: '192.0.2.9', port: 1 }, check(true, 1n, 1));
  seconds += 30;
  history.countCheck(one, check(false));
  seconds += 60;
  history.countCheck(one, check(true, 9n, 6));
  history.countCheck(one, check(false));
  const { nodes } = history.lastHour();
  expect(nodes).toEqual([
    { ...one, heights: [...nulls(116), 8, null, null, 9], latencies_ms: [...nulls(116), 15, null, null, 6] },
    { ...two, heights: nulls(120), latencies_ms: nulls(120) },
  ]);
  seconds += 30;
  expect(history.lastHour().nodes[0]!.heights.slice(-2)).toEqual([9, 9]);
});

test('keeps only admitted nodes, and at most 24 of them', () => {
  const history = recorder();
  history.keepOnly([one, two]);
  history.countCheck(one, { answers: true, height: 5n, latencyMs: 1, checkedAtMs: 1 });
  history.keepOnly([one]);
  expect(history.lastHour().nodes).toMatchObject([{ ...one }]);
  expect(history.lastHour().nodes[0]!.heights.at(-1)).toBe(5);
  history.keepOnly(Array.from({ length: 100 }, (_, port) => ({ ip: '192.0.2.3', port })));
  expect(history.lastHour().nodes).toHaveLength(24);
});

describe('percentiles', () => {
  const countsOf = (times: readonly number[]) => {
    const counts = new Float64Array(DURATION_CLASSES);
    for (const time of times) counts[classOf(time)]! += 1;
    return counts;
  };

  test('computed from classes of durations are within 19 % of the exact percentiles', () => {
    let state = 1;
    const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    for (let round = 0; round < 50; round += 1) {
      const times = Array.from({ length: 1 + Math.floor(random() * 500) }, () => 0.3 * 10 ** (5 * random()));
      const sorted = [...times].sort((a, b) => a - b);
      for (const share of [0.5, 0.99]) {
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
        const found = percentileOf(countsOf(times), share)!;
        expect(found / exact).toBeGreaterThan(1 / 1.19);
        expect(found / exact).toBeLessThan(1.19);
      }
    }
  });

  test('accept any duration, and are null without durations', () => {
    expect([0, -1, 0.25].map(classOf)).toEqual([0, 0, 0]);
    expect([1e9, Number.POSITIVE_INFINITY].map(classOf)).toEqual([
      DURATION_CLASSES - 1,
      DURATION_CLASSES - 1,
    ]);
    expect(percentileOf(countsOf([]), 0.5)).toBeNull();
  });
});
