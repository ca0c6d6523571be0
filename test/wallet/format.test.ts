import { MAX_U64 } from '@zbc-signer/chain';
import { amountParts, formatMoment, localCoins, localUnits, withPoint } from '#wallet/page/format.js';

const digits = (text: string) => text.replace(/\D/g, '');

test('an amount keeps all its digits', () => {
  expect(digits(localUnits(MAX_U64, 8))).toBe(`${MAX_U64}`);
  expect(digits(localUnits(MAX_U64, 19))).toBe(`${MAX_U64}`);
  expect(localUnits(1n, 99)).toBe(`0.${'1'.padStart(99, '0')}`);
  expect(localCoins(150_000_000n)).toMatch(/^1\D5 ZBC$/);
});

test.each(['ZBC', 'zbc', '000', '', undefined])('a token with the symbol %p is shown by its id', symbol => {
  const tokens = [{ id: 7n, ...(symbol !== undefined && { symbol }), decimals: 8 }];
  expect(amountParts(7n, 100_000_000n, tokens)).toEqual(['1 token 7', 'token 7']);
});

test('an amount of coins, of a token and of an unlisted one differ', () => {
  const tokens = [{ id: 7n, symbol: 'AMBER', decimals: 8 }];
  expect(amountParts(7n, 100_000_000n, tokens)).toEqual(['1 AMBER', 'token 7']);
  expect(amountParts(0n, 100_000_000n, tokens)).toEqual(['1 ZBC']);
  expect(amountParts(8n, 5n, tokens)).toEqual(['5 atomic units', 'token 8']);
});

test('a timestamp outside the range of dates is shown as a number', () => {
  const style = { dateStyle: 'short' } as const;
  expect(formatMoment(MAX_U64, style)).toBe(`${MAX_U64}`);
  expect(formatMoment(1_800_000_000n, style)).toMatch(/27/);
});

test("a comma is read as the decimal point only if the browser's language uses one", () => {
  const isComma = new Intl.NumberFormat().format(0.5).includes(',');
  expect(withPoint('1,5')).toBe(isComma ? '1.5' : '1,5');
  expect(withPoint('1.5')).toBe('1.5');
  expect(withPoint('1,500.5')).toBe('1,500.5');
});
