import { cleanText } from '@zbc-signer/chain';

/** Beside the pictures of a failed set: what is not in them. */
export const FAILURE_FILE = 'failure.json';

const MAX_TEXT = 300;
const MAX_PAGES = 100;
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
}

export function formatFailure(failure: SnapshotFailure): string {
  return `${JSON.stringify(failure, undefined, 2)}\n`;
}

/** Of a file that anybody may have written: what is not as formatFailure writes it is left out. */
export function parseFailure(text: string): SnapshotFailure {
  const { test, trace, texts, removed } = parseObject(text);
  const shown = isObject(texts) ? Object.entries(texts).slice(0, MAX_PAGES) : [];
  const pages = shown.flatMap(([name, value]) =>
    PAGE_NAME.test(name) && typeof value === 'string' ? [[name, cleanText(value, MAX_TEXT)]] : [],
  );
  return {
    test: cleanOptional(test),
    trace: cleanOptional(trace),
    texts: Object.fromEntries(pages) as Record<string, string>,
    removed: Array.isArray(removed)
      ? removed.slice(0, MAX_PAGES).filter(name => typeof name === 'string' && PAGE_NAME.test(name))
      : [],
  };
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
