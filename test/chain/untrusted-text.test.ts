import { cleanSymbol, cleanText } from '@zbc-signer/chain';

describe('cleanText', () => {
  test('does not touch ordinary text of any language', () => {
    expect(cleanText('fee too low: 1 < 2 — prix élevé, 価格')).toBe('fee too low: 1 < 2 — prix élevé, 価格');
  });

  test('removes terminal escapes and other control characters', () => {
    expect(cleanText('\u001b[31mred\u001b[0m\u0007\u0000\u009b2J\u007f')).toBe('[31mred[0m2J');
  });

  test('removes bidirectional and zero-width characters', () => {
    expect(cleanText('a\u202eb\u2066c\u2069\u200bd\u200fe\ufefff\u061c')).toBe('abcdef');
  });

  test('joins several lines into one', () => {
    expect(cleanText('one\r\ntwo\tthree\u2028four')).toBe('one two three four');
  });

  test('cuts long text between characters, not inside a character', () => {
    expect(cleanText('😀'.repeat(5), 3)).toBe('😀😀😀…');
  });

  test('removes half a surrogate pair', () => {
    expect(cleanText('a\ud83db')).toBe('ab');
  });
});

describe('cleanSymbol', () => {
  test.each(['USDX', '$', 'A-B.C', '123456789012'])('accepts %j', symbol => {
    expect(cleanSymbol(symbol)).toBe(symbol);
  });

  test.each(['', 'A B', '1234567890123', 'ÜSD', 'A\u0007', undefined])('gives undefined for %j', symbol => {
    expect(cleanSymbol(symbol)).toBeUndefined();
  });
});
