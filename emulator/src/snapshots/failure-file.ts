import { cleanText } from '@zbc-signer/chain';

/** A file next to a failed set's pictures, with additional data. */
export const FAILURE_FILE = 'failure.json';

const MAX_TEXT = 300;
const MAX_PAGES = 1000;
/** File names of the pictures in a set. */
export const PAGE_NAME = /^\d{5}\.png$/;

/** A run's data about a failed set of snapshots. */
export interface SnapshotFailure {
  /** The test, if its runner reports it. */
  test?: string | undefined;
  /** The path of the session's trace. */
  trace?: string | undefined;
  /** The texts on each shown page, by its file name. */
  texts: Readonly<Record<string, string>>;
  /** Snapshots of pages that the review no longer has. */
  removed: readonly string[];
  /** Maps a page to its snapshot if the two have different numbers, because of inserted or removed pages. */
  moved: Readonly<Record<string, string>>;
}

export function formatFailure(failure: SnapshotFailure): string {
  return `${JSON.stringify(failure, undefined, 2)}\n`;
}

/** Parses an untrusted file, ignoring everything that formatFailure would not write. */
export function parseFailure(text: string): SnapshotFailure {
  const { test, trace, texts, removed, moved } = parseObject(text);
  return {
    test: cleanOptional(test),
    trace: cleanOptional(trace),
    texts: byPage(texts, text => [cleanText(text, MAX_TEXT)]),
    removed: Array.isArray(removed)
      ? removed.slice(0, MAX_PAGES).filter(name => typeof name === 'string' && PAGE_NAME.test(name))
      : [],
    moved: byPage(moved, name => (PAGE_NAME.test(name) ? [name] : [])),
  };
}

/** The properties of an object that are texts and are named like a page. `take` converts or drops each. */
function byPage(value: unknown, take: (text: string) => string[]): Record<string, string> {
  const entries = isObject(value) ? Object.entries(value).slice(0, MAX_PAGES) : [];
  return Object.fromEntries(
    entries.flatMap(([name, text]) =>
      PAGE_NAME.test(name) && typeof text === 'string' ? take(text).map(taken => [name, taken]) : [],
    ),
  ) as Record<string, string>;
}

function parseObject(text: string): Partial<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const cleanOptional = (value: unknown): string | undefined =>
  typeof value === 'string' ? cleanText(value, MAX_TEXT) : undefined;
