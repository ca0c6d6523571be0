import { compilePattern } from '#emulator/server/automation-rules.js';

// The expected results are those of Python 3.11's re.match.
test.each([
  ['\\AAddress\\Z', 'Address', true],
  ['\\AAddress\\Z', 'Address (1/2)', false],
  ['(?i)address', 'ADDRESS', true],
  ['address', 'ADDRESS', false],
  ['(?P<page>\\d+)/(?P=page)', '3/3', true],
  ['(?P<page>\\d+)/(?P=page)', '3/4', false],
  ['Fee(?#in ZBC)$', 'Fee', true],
  ['a{,2}$', 'aa', true],
  ['a{,2}$', 'aaa', false],
  ['[]a]+$', 'a]', true],
  ['[^]a]$', ']', false],
  ['[\\]{,2}]+$', '{,2}]', true],
  ['\\\\A', '\\A', true],
  ['(?s)a.b', 'a\nb', true],
  ['(?a)\\w+$', 'abc', true],
  ['.*ready', 'is ready', true],
  ['ready', 'is ready', false],
])('%s matches %j as in Python: %p', (source, text, isMatch) => {
  expect(text.search(compilePattern(source)) === 0).toBe(isMatch);
});

test.each(['(', '(?x) a', 'a++', '(?(1)a|b)'])('rejects %s, which it does not understand', source => {
  expect(() => compilePattern(source)).toThrow(SyntaxError);
});
