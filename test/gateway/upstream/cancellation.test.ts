import { Cancellation } from '#gateway/upstream/cancellation.js';

test('a cancellation ends every request once, also one that starts after it', () => {
  const ended: string[] = [];
  const cancellation = new Cancellation();
  for (const name of ['first', 'second', 'third']) cancellation.ends(() => ended.push(name));
  expect(ended).toEqual([]);
  cancellation.cancel();
  cancellation.ends(() => ended.push('late'));
  expect(ended).toEqual(['first', 'second', 'third', 'late']);
});
