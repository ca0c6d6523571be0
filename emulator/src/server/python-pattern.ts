/** A flag group at the start, such as `(?i)`; `a`, `u` and `L`, which choose a character set, are ignored. */
const LEADING_FLAGS = /^\(\?([aiLmsu]+)\)/;
/** Matches syntax that Python writes differently, or that must be skipped as a whole. */
const TOKEN = /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P<|\(\?P=\w+\)|\(\?#[^)]*\)|\{,(?=\d+\})/g;

/**
 * Compiles a regular expression in the syntax of Python or JavaScript. Of Python's syntax it supports `\A`,
 * `\Z`, `(?i)`, `(?P<n>…)`, `(?P=n)`, `(?#…)`, `{,n}` and `[]…]`. For other extensions of Python, as for an
 * invalid expression, it throws a SyntaxError.
 */
export function compilePattern(source: string): RegExp {
  const flags = LEADING_FLAGS.exec(source);
  const body = source.slice(flags?.[0].length ?? 0);
  const known = new Set((flags?.[1] ?? '').replace(/[aLu]/g, ''));
  return new RegExp(body.replace(TOKEN, translate), [...known].join(''));
}

function translate(token: string): string {
  if (token === '\\A') return '(?<![\\s\\S])';
  if (token === '\\Z') return '(?![\\s\\S])';
  if (token === '(?P<') return '(?<';
  if (token === '{,') return '{0,';
  if (token.startsWith('(?P=')) return `\\k<${token.slice(4, -1)}>`;
  if (token.startsWith('(?#')) return '(?:)';
  return token.replace(/^(\[\^?)\]/, '$1\\]');
}
