import { runCommand } from '../../../testkit/cli.js';

describe('a file without an end', () => {
  test.each([
    ['tx', 'sign'],
    ['tx', 'submit'],
    ['gallery', '-o', '/tmp/never-written'],
  ])('is refused by %s', async (...words) => {
    const { code, stderr } = await runCommand([...words, '/dev/zero']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/longer than \d+ bytes/)]);
  });
});
