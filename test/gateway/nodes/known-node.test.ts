import { jest } from '@jest/globals';
import { KnownNode } from '#gateway/nodes/known-node.js';

const ADMITTED = { ip: '192.0.2.1', port: 1, role: 'full', source: 'static' } as const;
const AFTER_THREE = { failures: 3, pauseMs: 1000 };
let nowMs: number;

beforeEach(() => {
  nowMs = 1;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => jest.restoreAllMocks());

test('a node is asked last after consecutive poor answers, and after the first one that follows the pause', () => {
  const node = new KnownNode(ADMITTED);
  const fail = () => node.answeredPoorly(AFTER_THREE, 'late');
  expect([fail(), fail()]).toEqual([false, false]);
  node.answeredWell();
  expect([fail(), fail(), fail()]).toEqual([false, false, true]);
  expect(node.isPoor).toBe(true);
  node.answeredWell();
  expect([node.isPoor, fail()]).toEqual([true, false]);
  nowMs += 1000;
  expect([node.isPoor, node.poorUntilMs !== 0, fail(), node.isPoor]).toEqual([false, true, true, true]);
  nowMs += 1000;
  node.answeredWell();
  expect([node.poorUntilMs, fail(), node.isPoor]).toEqual([0, false, false]);
});

test('a node is never asked last without a limit of poor answers', () => {
  const node = new KnownNode(ADMITTED);
  const never = { failures: 0, pauseMs: 1000 };
  for (let count = 0; count < 100; count += 1) expect(node.answeredPoorly(never, 'late')).toBe(false);
});
