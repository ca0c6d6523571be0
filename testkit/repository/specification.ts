// The tables of docs/SPECIFICATION.md, for the models and tests that must agree with them.
import { rowsOf, sectionOf, tableRows } from './documents.js';

const PAGE = 'docs/SPECIFICATION.md';

/** Returns the rows of a table without its heading. */
const tableOf = (heading: string) => rowsOf(sectionOf(PAGE, heading)).slice(2);

/** Returns the texts of the code spans of a cell. */
export const codesOf = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '[^\n]*');

/**
 * Returns the pattern of a screen. The cell has the lines of the screen in code spans, and … for any lines.
 */
const patternOf = (screen: string) =>
  new RegExp(
    `^${screen
      .split(' / ')
      .map(line => (line === '…' ? '([^\n]+\n)*' : `${escaped(codesOf(line)[0] ?? '')}\n`))
      .join('')}$`,
  );

/** A table whose cells list the allowed outcomes, and the outcomes that have occurred so far. */
export class Cells {
  readonly #alternatives = new Map<string, { text: string; pattern?: RegExp; isMet: boolean }[]>();

  /** Reads the table below a heading. An empty cell has the content of the cell on its left. */
  constructor(heading: string) {
    const [[, ...columns] = [], , ...rows] = rowsOf(sectionOf(PAGE, heading));
    for (const [row, ...cells] of rows) {
      for (const [i, column] of columns.entries()) {
        const isScreen = column === 'Screen';
        const found = (cells[i] ?? '').split('; ').map(text => ({
          text,
          isMet: cells[i] === '',
          ...(isScreen && { pattern: patternOf(text) }),
        }));
        const left = this.#alternatives.get(`${row}: ${columns[i - 1]}`);
        this.#alternatives.set(`${row}: ${column}`, cells[i] === '' && left ? left : found);
      }
    }
  }

  /** Returns whether a cell allows an outcome, and records that the outcome has occurred. */
  meet(row: string, column: string, outcome: string): boolean {
    const alternative = this.#alternatives
      .get(`${row}: ${column}`)
      ?.find(({ text, pattern }) => (pattern ? pattern.test(outcome) : text === outcome));
    if (alternative) alternative.isMet = true;
    return alternative !== undefined;
  }

  /** Returns the outcomes of the table that have not occurred. */
  unmet(): string[] {
    return [...this.#alternatives].flatMap(([cell, alternatives]) =>
      alternatives.filter(({ isMet }) => !isMet).map(({ text }) => `${cell}: ${text}`),
    );
  }
}

interface Refusal {
  commands: string[];
  when: string;
  /** Status word in four hex digits. */
  status: string;
  /** The reason, if the refusal has details. */
  reason?: number;
  /** An offset, or a description of the byte. */
  offset: string;
}

const signerRows = tableRows('docs/APDU.md');
const statuses = new Map(
  signerRows.filter(([word]) => /^[0-9a-f]{4}$/.test(word!)).map(([word, name]) => [name!, word!]),
);
const reasons = new Map(
  signerRows
    .filter(([number, , status]) => /^\d+$/.test(number!) && statuses.has(status!))
    .map(([number, name, status]) => [name!, [Number(number), status!] as const]),
);

export const statusNamed = (name: string): string => statuses.get(name)!;

/** Returns the name of a status word. */
export const nameOfStatus = (status: string) => [...statuses].find(([, word]) => word === status)?.[0];

export const REFUSALS: readonly Refusal[] = tableOf('## Refusals').map(
  ([commands = '', when = '', name = '', offset = '']) => {
    const [reason, statusName] = reasons.get(name) ?? [undefined, name];
    const status = statuses.get(statusName);
    if (!status) throw new Error(`${PAGE} names the status word ${name}, which docs/APDU.md does not define`);
    const [last, ...others] = commands.split(', ').reverse();
    const whole = last === 'all bytes' ? [`${others[0]}, all bytes`] : commands.split(', ');
    return { commands: whole, when, status, offset, ...(reason !== undefined && { reason }) };
  },
);

/**
 * Returns the offset in a refusal of a command. `header` is the header of the upload, which has options in P2.
 * Undefined if the row describes the byte.
 */
export function offsetIn(offset: string, header: Uint8Array, command: Uint8Array): number | undefined {
  const lengths = [56, 56, 32].filter((_, bit) => (header[3]! & (1 << bit)) !== 0);
  const tailAt = lengths.reduce((sum, length) => sum + length, 44);
  const formulas: Record<string, number> = {
    F: tailAt,
    'F + 1': tailAt + 1,
    '60 + n': command.length - 5 - 32,
    'that of the contact': 44,
  };
  return offset.startsWith('that of the first') ? undefined : (formulas[offset] ?? Number(offset));
}

/** Pages of the signer's menu: the possible second lines, and the next page for each button. */
export const MENU = new Map(
  tableOf('## Menu').map(([page = '', lines = '', right = '', left = '', both = '']) => [
    codesOf(page)[0]!,
    {
      lines: [...(lines.startsWith('empty') ? [''] : []), ...codesOf(lines)],
      /** Whether the second line is only an example. */
      varies: lines.startsWith('such as'),
      left,
      right,
      both,
    },
  ]),
);

/** Texts of the approve page and the reject page, by command. */
export const DECISIONS = new Map(
  tableOf('## Decision pages').map(([command = '', approve = '', reject = '']) => [
    command,
    [codesOf(approve), codesOf(reject)] as const,
  ]),
);

const [seeds, gates] = [6, 2].map(width => tableOf('## Gates').filter(row => row.length === width));

/** Required numbers of rolls and flips for a seed, by number of words. */
export const SEED_GATES = new Map(
  seeds!.map(row => {
    const [words = 0, rolls = 0, equalRolls = 0, flips = 0, equalFlips = 0, lastPresses = 0] =
      row.map(Number);
    return [words, { rolls, equalRolls, flips, equalFlips, lastPresses }];
  }),
);

export function gateOf(name: string): number {
  const found = gates!.find(([gate]) => gate === name);
  if (!found) throw new Error(`${PAGE} has no gate ${name}`);
  return Number(found[1]);
}
