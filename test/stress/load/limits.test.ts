import { descriptorFault, memoryFault } from './limits.js';

const MIB = 2 ** 20;
/** Ten samples per quarter, each of fifteen seconds. */
const samples = (mebibytesAt: (at: number) => number, seconds = 600) =>
  Array.from({ length: seconds }, (_, second) => ({
    memoryBytes: mebibytesAt(Math.floor(second / 15)) * MIB,
    descriptors: 1,
  }));

describe('the memory of a process', () => {
  test.each<[string, (at: number) => number]>([
    ['stays', () => 100],
    ['grows only while the process warms up', at => Math.min(10 + 10 * at, 100)],
    ['goes up and down', at => 100 + 10 * (at % 5)],
    ['grows by 15 in a hundred', at => (at < 30 ? 100 : 115)],
    ['has a peak', at => (at === 35 ? 900 : 100)],
  ])('that %s is accepted', (_how, mebibytesAt) => {
    expect(memoryFault(samples(mebibytesAt))).toBeUndefined();
  });

  test('that grows by more than 15 percent is reported', () => {
    expect(memoryFault(samples(at => (at < 30 ? 100 : 116)))).toBe(
      'memory grew 1.16 times: 100.0 MiB to 116.0 MiB',
    );
  });

  test('is not checked in a run shorter than eight minutes', () => {
    expect(memoryFault(samples(at => 100 + 10 * at, 400))).toBeUndefined();
    expect(memoryFault(samples(at => 100 + 10 * at, 480))).toBeDefined();
  });

  test('that grows all the time is reported', () => {
    expect(memoryFault(samples(at => 100 + at))).toBe('memory grew 1.17 times: 115.0 MiB to 135.0 MiB');
  });
});

test('a file descriptor that stays open is reported', () => {
  expect(descriptorFault(26, 26)).toBeUndefined();
  expect(descriptorFault(26, 25)).toBeUndefined();
  expect(descriptorFault(26, 27)).toBe('27 descriptors are open; before the load, 26 were open');
});
