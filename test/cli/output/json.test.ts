import { formatJsonLine, formatJsonText } from '#cli/output/json.js';
import { repositoryFiles } from '../../../testkit/repository/documents.js';
import { readText } from '../../../testkit/repository/repository.js';

test('JSON is escaped only where it contains terminal control sequences', () => {
  const obeyed = ['\0', '\x1b', '\x7f', '\x80', '\x9b', '\u061c', '\u200b', '\u200e', '\u2028', '\u2029'];
  const value = {
    name: [...obeyed, '\u202e', '\u2066', '\ufeff', '\u{e0041}'].join('x'),
    plain: 'Grüße 😀 é',
  };
  const line = formatJsonLine(value);
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(line).toContain('\\u009b');
  expect(line).toContain('"plain":"Grüße 😀 é"');
  expect(JSON.parse(line)).toEqual(value);
  const text = formatJsonText({ [obeyed.join('x')]: [value, [], {}, 2n ** 63n] });
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).toContain('    {},\n    9223372036854775808\n');
  expect(JSON.parse(text)).toEqual({ [obeyed.join('x')]: [value, [], {}, 2 ** 63] });
});

test('every command prints JSON with this function', () => {
  const sources = repositoryFiles('cli/src/commands');
  expect(sources.length).toBeGreaterThan(15);
  expect(sources.filter(path => /JSON\.stringify|formatJson\(/.test(readText(path)))).toEqual([]);
});
