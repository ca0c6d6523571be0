import {
  formatCoins,
  formatUnits,
  fromHex,
  MAX_I64,
  MAX_U64,
  parseAccount,
  parseCoins,
  parseUnits,
  type ZbcSignerError,
} from '@zbc-signer/chain';
import fc from 'fast-check';

function refusalOf(text: string, decimals = 8): Pick<ZbcSignerError, 'code' | 'message'> {
  try {
    parseUnits(text, decimals);
  } catch (error) {
    return error as ZbcSignerError;
  }
  throw new Error('parsed');
}

describe('parseCoins', () => {
  test.each([
    ['1', 100_000_000n],
    ['1.5', 150_000_000n],
    ['0.025', 2_500_000n],
    ['0.00000001', 1n],
    ['90071992.54740995', 9007199254740995n],
    ['184467440737.09551615', 2n ** 64n - 1n],
    ['007', 700_000_000n],
    ['0', 0n],
  ])('reads %s exactly', (text, atoms) => {
    expect(parseCoins(text)).toBe(atoms);
  });

  test('refuses an amount that is one atomic unit above 64 bits', () => {
    expect(() => parseCoins('184467440737.09551616')).toThrow(
      'the amount is above the maximum 184467440737.09551615',
    );
  });
});

describe('parseUnits', () => {
  test.each([
    '',
    ' ',
    '-1',
    '+1',
    '1e8',
    '1,5',
    '.5',
    '5.',
    '1.2.3',
    '0x10',
    '1 ',
    '١',
    'NaN',
    'Infinity',
    '1_000',
  ])('refuses "%s"', text => {
    expect(refusalOf(text).code).toBe('AMOUNT_FORMAT');
  });

  test('refuses more decimals than the unit has, even if they are zeros', () => {
    expect(refusalOf('0.000000001')).toMatchObject({
      code: 'AMOUNT_DECIMALS',
      message: 'the amount has 9 decimals, the maximum is 8',
    });
    expect(refusalOf('1.0', 0).code).toBe('AMOUNT_DECIMALS');
  });

  test('refuses thousands of digits without parsing them', () => {
    expect(refusalOf('1'.repeat(1_000_000)).code).toBe('AMOUNT_FORMAT');
  });

  test('refuses a token amount above the given maximum', () => {
    expect(parseUnits('9223372036854775807', 0, MAX_I64)).toBe(2n ** 63n - 1n);
    expect(() => parseUnits('9223372036854775808', 0, MAX_I64)).toThrow(
      'above the maximum 9223372036854775807',
    );
  });

  test('parses what formatUnits writes', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_U64), fc.integer({ min: 0, max: 8 }), (value, decimals) => {
        expect(parseUnits(formatUnits(value, decimals), decimals)).toBe(value);
      }),
    );
  });
});

describe('formatUnits', () => {
  // Amounts in docs/TRANSACTION.md#review-items.
  test.each([
    [100_000_000n, '1'],
    [1n, '0.00000001'],
    [150_000_000n, '1.5'],
    [0n, '0'],
    [2n ** 64n, '184467440737.09551616'],
  ])('shows %s atomic units as %s coins', (atoms, text) => {
    expect(formatCoins(atoms)).toBe(text);
  });

  test('shows a negative value with its sign, and no point without decimals', () => {
    expect(formatUnits(-5n, 1)).toBe('-0.5');
    expect(formatUnits(-12n, 0)).toBe('-12');
  });

  test('formats the exact quotient of the value and its unit', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX_U64), value => {
        const [whole = '', fraction = ''] = formatCoins(value).split('.');
        expect(BigInt(whole) * 100_000_000n + BigInt(fraction.padEnd(8, '0'))).toBe(value);
        expect(fraction).not.toMatch(/0$/);
      }),
    );
  });
});

describe('arguments of another type', () => {
  const INVALID = expect.objectContaining({ code: 'INVALID_INPUT' });

  test.each([[undefined], [Number.NaN], [1.5], [-1], ['8'], [1e9], [null]])(
    'decimals of %p are refused',
    decimals => {
      expect(() => parseUnits('1.5', decimals as number)).toThrow(INVALID);
      expect(() => formatUnits(15n, decimals as number)).toThrow(INVALID);
    },
  );

  test.each([[undefined], [null], [1.5], [{}], [['1']]])(
    '%p is refused as the text of an amount or account',
    text => {
      for (const parse of [parseCoins, parseAccount, fromHex]) {
        expect(() => parse(text as string)).toThrow(INVALID);
      }
    },
  );

  test.each([[1.5], ['5'], [Number.NaN], [undefined]])('%p is refused as an amount to format', value => {
    expect(() => formatCoins(value as never)).toThrow(INVALID);
  });
});
