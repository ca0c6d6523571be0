import { formatJson, parseJson } from '@zbc-signer/chain';

describe('parseJson', () => {
  test('keeps every digit of an integer', () => {
    expect(parseJson('{"fee":9007199254740995,"id":-9223372036854775808}')).toEqual({
      fee: 9007199254740995n,
      id: -9223372036854775808n,
    });
  });

  test('reads a number with a fraction or an exponent as a number, which no integer field accepts', () => {
    expect(parseJson('[1.5,1e3]')).toEqual([1.5, 1000]);
  });

  test('does not turn thousands of digits into a bigint', () => {
    expect(typeof parseJson('9'.repeat(5000))).toBe('number');
  });

  test('does not change strings, even those with digits and escapes', () => {
    const value = { '12': '12', 'a"7': 'say \\"8\\" 9', '\\': '\u2028 -1', '': ['', '{"n":3}'] };
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  test('reads integers of either sign anywhere in a document', () => {
    expect(parseJson('[0,-0,-1,{"a":[2]},3]')).toEqual([0n, 0n, -1n, { a: [2n] }, 3n]);
  });

  test('reads a long string and a long list', () => {
    const text = 'x"\\'.repeat(300_000);
    const list = Array.from({ length: 100_000 }, (_, at) => at);
    expect(parseJson(JSON.stringify([text, list]))).toEqual([text, list.map(BigInt)]);
  });

  test.each(['{"a":1,"a":2}', '{"a":1,"a":1}', '{"a":1,"\\u0061" : 2}', '[{"b":{},"c":[],"b":{}}]'])(
    'throws if an object has the same name twice: %s',
    text => {
      expect(() => parseJson(text)).toThrow(/duplicate name in JSON at position \d+/);
    },
  );

  test('accepts the same name in another object, and as a value', () => {
    const value = [{ a: 'a', b: { a: 'b' }, c: [{ a: 'c' }, 'a'] }, { a: 'a' }];
    expect(parseJson(JSON.stringify(value))).toEqual(value);
  });

  test.each(['', '{', '{"a":}', 'undefined', '{"a":1}x', '01', '1.', '-', '+1', '{1:2}', "['1']", '"1'])(
    'throws on %j',
    text => {
      expect(() => parseJson(text)).toThrow();
    },
  );

  test.each([
    ['levels', 32, (levels: number) => '['.repeat(levels) + ']'.repeat(levels)],
    [
      'levels after an escaped quotation mark',
      31,
      (levels: number) => `["\\"",${'['.repeat(levels)}${']'.repeat(levels)}]`,
    ],
    ['values', 250_000, (values: number) => `[${'1,'.repeat(values - 2)}1]`],
  ])('throws if there are more %s than %i', (_what, most, write) => {
    expect(() => parseJson(write(most))).not.toThrow();
    expect(() => parseJson(write(most + 1))).toThrow(SyntaxError);
  });
});

test('formatJson writes every digit', () => {
  expect(formatJson({ amount: 18446744073709551615n, list: [-1n], left_out: undefined })).toBe(
    '{"amount":18446744073709551615,"list":[-1]}',
  );
});
