import { closestMatch } from 'leven';

/** All faults of a value, one per line. Each line starts with the path of the invalid value. */
export class ConfigFaults extends Error {
  override readonly name = 'ConfigFaults';
  constructor(readonly lines: readonly string[]) {
    super(lines.join('; '));
  }
}

/**
 * Converts a JSON value. Throws ConfigFaults, whose lines never contain values, because a value may be
 * secret.
 */
export type Reader<T> = (value: unknown, path: string) => T;

export interface Field<T> {
  read: Reader<T>;
  /** The default, as it would be written in the file. */
  fallback?: unknown;
  isOptional: boolean;
}

/** A field that the file may omit. */
export interface OptionalField<T> extends Field<T> {
  isOptional: true;
}

/** Fields by their names in camel case; the file has these names in snake case. */
type Fields = Readonly<Record<string, Field<unknown>>>;

type ValueOf<F> = F extends Field<infer T> ? T : never;

/** The type of the object that is read with these fields. */
export type ReadBy<F extends Fields> = {
  [Name in keyof F as F[Name] extends OptionalField<unknown> ? never : Name]: ValueOf<F[Name]>;
} & {
  [Name in keyof F as F[Name] extends OptionalField<unknown> ? Name : never]?: ValueOf<F[Name]>;
};

export function required<T>(read: Reader<T>): Field<T> {
  return { read, isOptional: false };
}

export function optional<T>(read: Reader<T>): OptionalField<T> {
  return { read, isOptional: true };
}

export function withDefault<T>(read: Reader<T>, fallback: unknown): Field<T> {
  return { read, fallback, isOptional: true };
}

export function fault(path: string, words: string): ConfigFaults {
  return new ConfigFaults([`${path} ${words}`]);
}

export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
}

/** Reads an object that has these fields and no others. */
export function objectOf<F extends Fields>(fields: F): Reader<ReadBy<F>> {
  const names = new Map(Object.keys(fields).map(name => [snakeCase(name), name]));
  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw fault(path || 'the configuration', 'must be an object');
    }
    const present = new Map(Object.entries(value));
    const unknown = [...present.keys()].filter(name => !names.has(name));
    const unknownFields = unknown.map(name => () => {
      throw fault(join(path, printable(name)), notAField(name, [...names.keys()]));
    });
    const read = [...names].map(([written, name]) => () => {
      const found = readField(fields[name]!, present.get(written), join(path, written));
      return found === undefined ? [] : [[name, found] as const];
    });
    return Object.fromEntries(collect([...unknownFields, ...read]).flat()) as ReadBy<F>;
  };
}

/** Reads an array of at most `maximum` values. */
export function listOf<T>(read: Reader<T>, maximum: number): Reader<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value) || value.length > maximum) {
      throw fault(path, `must be an array of at most ${maximum} elements`);
    }
    return collect(value.map((item, index) => () => read(item, `${path}[${index}]`)));
  };
}

function readField<T>(field: Field<T>, value: unknown, path: string): T | undefined {
  const taken = value ?? field.fallback;
  if (taken !== undefined) return field.read(taken, path);
  if (!field.isOptional) throw fault(path, 'is missing');
  return undefined;
}

/** Runs all readers, even after one of them fails, so that all faults are reported together. */
function collect<T>(readers: readonly (() => T)[]): T[] {
  const lines: string[] = [];
  const values = readers.flatMap(read => {
    try {
      return [read()];
    } catch (error) {
      if (!(error instanceof ConfigFaults)) throw error;
      lines.push(...error.lines);
      return [];
    }
  });
  if (lines.length > 0) throw new ConfigFaults(lines);
  return values;
}

function notAField(name: string, known: readonly string[]): string {
  const meant = closestMatch(name, known, { maxDistance: Math.max(1, Math.floor(name.length / 3)) });
  return `is not a known field${meant === undefined ? '' : `; did you mean ${meant}?`}`;
}

/** Escapes a field name from the file. */
function printable(name: string): string {
  return /^\w{1,64}$/.test(name) ? name : `"${name.slice(0, 32).replace(/[^ -~]/g, '?')}"`;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
