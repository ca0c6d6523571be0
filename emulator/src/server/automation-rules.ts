import type { ScreenText } from '../device/platform.js';
import { AutomationError } from '../errors.js';

/** Buttons by number in rules. */
export const BUTTONS = { 1: 'left', 2: 'right' } as const;

type AutomationAction =
  | readonly ['button', key: 1 | 2, down: boolean]
  | readonly ['setbool', name: string, value: boolean]
  | readonly ['exit'];

/** A validated rule. */
export interface AutomationRule {
  matches(text: ScreenText): boolean;
  /** Whether the rule has an expression, whose matching may take for ever. */
  readonly hasPattern: boolean;
  readonly conditions: readonly (readonly [name: string, value: boolean])[];
  readonly actions: readonly AutomationAction[];
}

/** One rule as AUTOMATION_DOCUMENT describes it. */
export interface RuleDocument {
  text?: string;
  regexp?: string;
  x?: number;
  y?: number;
  conditions?: unknown[][];
  actions?: unknown[][];
}

const LIST_OF_LISTS = { type: 'array', items: { type: 'array' } };

/** JSON schema of Speculos's automation document; parseRules checks the inner lists. */
export const AUTOMATION_DOCUMENT = {
  type: 'object',
  required: ['version', 'rules'],
  additionalProperties: false,
  properties: {
    version: { enum: [1] },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        properties: {
          text: { type: 'string' },
          regexp: { type: 'string', maxLength: 200 },
          x: { type: 'integer' },
          y: { type: 'integer' },
          conditions: LIST_OF_LISTS,
          actions: LIST_OF_LISTS,
        },
      },
    },
  },
};

/** Parses rules, and drops those without actions, as Speculos does. Throws AutomationError. */
export function parseRules(documents: readonly RuleDocument[]): AutomationRule[] {
  const rules = documents.map((document, index) => parseRule(document, `rules[${index}]`));
  return rules.filter((_, index) => documents[index]!.actions !== undefined);
}

function parseRule({ text, regexp, x, y, conditions, actions }: RuleDocument, at: string): AutomationRule {
  const pattern = regexp === undefined ? undefined : parsePattern(regexp, at);
  return {
    // An expression matches from the start of the text, as in Speculos.
    matches: drawn =>
      (text === undefined || text === drawn.text) &&
      (pattern === undefined || drawn.text.search(pattern) === 0) &&
      (x === undefined || x === drawn.x) &&
      (y === undefined || y === drawn.y),
    hasPattern: pattern !== undefined,
    conditions: (conditions ?? []).map((value, index) => parseCondition(value, `${at}.conditions[${index}]`)),
    actions: (actions ?? []).map((value, index) => parseAction(value, `${at}.actions[${index}]`)),
  };
}

function parsePattern(source: string, at: string): RegExp {
  try {
    return compilePattern(source);
  } catch {
    throw new AutomationError(`${at}.regexp is not a supported regular expression of Python`);
  }
}

function parseCondition([name, value, ...rest]: unknown[], at: string): [string, boolean] {
  if (typeof name === 'string' && typeof value === 'boolean' && rest.length === 0) return [name, value];
  throw new AutomationError(`${at} must be [name, true or false]`);
}

function parseAction(words: unknown[], at: string): AutomationAction {
  const [kind, first, second, ...rest] = words;
  if (kind === 'exit' && words.length === 1) return [kind];
  if (kind === 'button' && (first === 1 || first === 2) && typeof second === 'boolean' && rest.length === 0) {
    return [kind, first, second];
  }
  if (kind === 'setbool' && typeof first === 'string' && typeof second === 'boolean' && rest.length === 0) {
    return [kind, first, second];
  }
  if (kind === 'finger') throw new AutomationError(`${at}: this model has no touch screen`);
  throw new AutomationError(
    `${at} must be ["button", 1 left or 2 right, pressed], ["setbool", name, value] or ["exit"]`,
  );
}

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
