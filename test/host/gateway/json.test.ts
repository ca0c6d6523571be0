import { parseJson, writeJson } from '../../../host/src/gateway/json.js';

describe('parseJson', () => {
  test('keeps every digit of an integer', () => {
    expect(parseJson('{"fee":9007199254740995,"id":-9223372036854775808}')).toEqual({
      fee: 9007199254740995n,
      id: -9223372036854775808n,
    });
  });

  test('reads a number with a fraction or an exponent as a number, which no integer field takes', () => {
    expect(parseJson('[1.5,1e3]')).toEqual([1.5, 1000]);
  });

  test('does not turn a mile of digits into a bigint', () => {
    expect(typeof parseJson('9'.repeat(5000))).toBe('number');
  });

  test.each(['', '{', '{"a":}', 'undefined', '{"a":1}x'])('throws on %j', text => {
    expect(() => parseJson(text)).toThrow();
  });
});

test('writeJson writes every digit', () => {
  expect(writeJson({ amount: 18446744073709551615n, list: [-1n], left_out: undefined })).toBe(
    '{"amount":18446744073709551615,"list":[-1]}',
  );
});
