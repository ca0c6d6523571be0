import { type Slice, Zeros } from '../../../prove/amounts/digits.js';
import { NotShown } from '../../../prove/control.js';

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

describe('zeros among digits', () => {
  it('are followed both ways, and not asked twice', () => {
    const found = explored(zeros => `${zeros.isZero(slice(0, 1))} ${zeros.isZero(slice(0, 1))}`);
    expect(found).toEqual(['false false', 'true true']);
  });

  it('say of several digits what each of them says', () => {
    const found = explored(zeros =>
      [slice(0, 2), slice(0, 1), slice(1, 2)].map(each => Number(zeros.isZero(each))).join(''),
    );
    expect(found).toEqual(['000', '001', '010', '111']);
  });

  it('take a sign one way on a path', () => {
    const found = explored(zeros => `${zeros.isNegative('v')} ${zeros.isNegative('v')}`);
    expect(found).toEqual(['false false', 'true true']);
  });

  it('must be decided before what they should be is asked for', () => {
    expect(() => explored(zeros => `${zeros.hasDecided(slice(3, 4))}`)).toThrow(NotShown);
    const found = explored(zeros => `${zeros.isZero(slice(3, 4))} ${zeros.hasDecided(slice(3, 4))}`);
    expect(found).toEqual(['false false', 'true true']);
  });
});
