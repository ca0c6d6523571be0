import { cleanText } from '@zbc-signer/chain';

/** Beside the pictures of a failed set: what is not in them. */
export const FAILURE_FILE = 'failure.json';

const MAX_TEXT = 300;
const MAX_PAGES = 1000;
/** The picture of a page in a set. */
export const PAGE_NAME = /^\d{5}\.png$/;

/** What a run knows of a failed set of snapshots. */
export interface SnapshotFailure {
  /** The test, as far as its runner tells. */
  test?: string | undefined;
  /** The path of the session's trace. */
  trace?: string | undefined;
  /** The texts on each page that was shown, by its file name. */
  texts: Readonly<Record<string, string>>;
  /** Snapshots of pages that the review no longer has. */
  removed: readonly string[];
  /** By a page that was shown, the snapshot of that page, where pages before it were inserted or are gone. */
  moved: Readonly<Record<string, string>>;
}

export function formatFailure(failure: SnapshotFailure): string {
  return `${JSON.stringify(failure, undefined, 2)}\n`;
}

/** Of a file that anybody may have written: what is not as formatFailure writes it is left out. */
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

/** The texts of an object by names of pages, as `take` takes them. */
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
