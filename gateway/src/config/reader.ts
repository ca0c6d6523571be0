import { suggest } from '../suggestion.js';

/** Everything that is wrong with a value, one line each, which begins with the path of what is wrong. */
export class Faults extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('; '));
    this.name = 'Faults';
  }
}

/** Turns a JSON value into the type it stands for; throws Faults, whose lines never repeat a value: it may be a secret. */
export type Reader<T> = (value: unknown, path: string) => T;

export interface Field<T> {
  read: Reader<T>;
  /** As it would stand in the file. Without one, a field that may be left out is absent. */
  fallback?: unknown;
  mayBeLeftOut: boolean;
}

/** A reader for each field; in the file their names are in snake case. */
export type Fields<Shape> = { [Name in keyof Shape]-?: Field<Exclude<Shape[Name], undefined>> };

export function required<T>(read: Reader<T>): Field<T> {
  return { read, mayBeLeftOut: false };
}

export function optional<T>(read: Reader<T>): Field<T> {
  return { read, mayBeLeftOut: true };
}

export function withDefault<T>(read: Reader<T>, fallback: unknown): Field<T> {
  return { read, fallback, mayBeLeftOut: true };
}

export function fault(path: string, words: string): Faults {
  return new Faults([`${path} ${words}`]);
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** An object with these fields and no others. */
export function objectOf<Shape extends object>(fields: Fields<Shape>): Reader<Shape> {
  const names = new Map(Object.keys(fields).map(name => [snakeCase(name), name as keyof Shape & string]));
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw fault(path || 'the configuration', 'must be an object');
    }
    const given = new Map(Object.entries(value));
    const unknown = [...given.keys()].filter(name => !names.has(name));
    const strangers = unknown.map(name => () => {
      throw fault(join(path, printable(name)), notAField(name, [...names.keys()]));
    });
    const read = [...names].map(([written, name]) => () => {
      const found = readField(fields[name], given.get(written), join(path, written));
      return found === undefined ? [] : [[name, found] as const];
    });
    return Object.fromEntries(collect([...strangers, ...read]).flat()) as Shape;
  };
}

/** At most `maximum` values of one kind. */
export function listOf<T>(read: Reader<T>, maximum: number): Reader<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value) || value.length > maximum) {
      throw fault(path, `must be a list of at most ${maximum}`);
    }
    return collect(value.map((item, index) => () => read(item, `${path}[${index}]`)));
  };
}

function readField<T>(field: Field<T>, value: unknown, path: string): T | undefined {
  const taken = value ?? field.fallback;
  if (taken !== undefined) {
    return field.read(taken, path);
  }
  if (!field.mayBeLeftOut) {
    throw fault(path, 'is missing');
  }
  return undefined;
}

/** Runs all of them, so that every fault is told at once. */
function collect<T>(readings: readonly (() => T)[]): T[] {
  const lines: string[] = [];
  const values = readings.flatMap(read => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof Faults)) {
        throw error;
      }
      lines.push(...error.lines);
      return [];
    }
  });
  if (lines.length > 0) {
    throw new Faults(lines);
  }
  return values;
}

function notAField(name: string, known: readonly string[]): string {
  const meant = suggest(name, known);
  return `is not a field${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** A name from the file, which may hold anything. */
function printable(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : `"${name.slice(0, 32).replace(/[^ -~]/g, '?')}"`;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
