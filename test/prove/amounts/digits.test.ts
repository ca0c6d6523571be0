import { type Slice, Zeros } from '../../../prove/amounts/digits.js';
import { UnprovenClaim } from '../../../prove/control.js';

const slice = (low: number, high: number): Slice => ({ kind: 'slice', of: 'v', low, high });

function explored(run: (zeros: Zeros) => string): string[] {
  const zeros = new Zeros();
  const found: string[] = [];
  zeros.explore(() => {
    found.push(run(zeros));
  });
  expect(zeros.paths).toBe(found.length);
  return found.sort();
}

describe('the decisions whether digits are zero', () => {
  test('are explored both ways, and each is made once', () => {
    const found = explored(zeros => `${zeros.isZero(slice(0, 1))} ${zeros.isZero(slice(0, 1))}`);
    expect(found).toEqual(['false false', 'true true']);
  });

  test('about several digits agree with the decisions about each digit', () => {
    const found = explored(zeros =>
      [slice(0, 2), slice(0, 1), slice(1, 2)].map(each => Number(zeros.isZero(each))).join(''),
    );
    expect(found).toEqual(['000', '001', '010', '111']);
  });

  test('about a sign do not change on a path', () => {
    const found = explored(zeros => `${zeros.isNegative('v')} ${zeros.isNegative('v')}`);
    expect(found).toEqual(['false false', 'true true']);
  });

  test('are required before hasDecided is called', () => {
    expect(() => explored(zeros => `${zeros.hasDecided(slice(3, 4))}`)).toThrow(UnprovenClaim);
    const found = explored(zeros => `${zeros.isZero(slice(3, 4))} ${zeros.hasDecided(slice(3, 4))}`);
    expect(found).toEqual(['false false', 'true true']);
  });
});
