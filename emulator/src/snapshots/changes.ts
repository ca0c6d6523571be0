import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { cleanText } from '@zbc-signer/chain';
import { FAILURE_FILE, PAGE_NAME, parseFailure, type SnapshotFailure } from './failure-file.js';
import { MAX_PNG_BYTES, type Picture, readPicture, samePixels } from './picture.js';

/** Suffix of the directory in which the harness keeps the pictures of a failed set. */
const FAILED_SUFFIX = '-failed';
/** Directories in which Zemu and Ragger keep the pictures of a run, and the snapshots. */
const TAKEN = 'snapshots-tmp';
const GOLDEN = 'snapshots';
const SKIPPED = ['node_modules', '.git'];

const MAX_DEPTH = 12;
const MAX_ENTRIES = 50_000;
const MAX_CHANGES = 1000;
const MAX_NAME = 1000;
const MAX_FAILURE_BYTES = 100_000;

/** A snapshot that differs from the picture in a run. */
export interface SnapshotChange {
  /** The snapshot's path from the working directory, with `/`; absolute if it is outside. */
  name: string;
  kind: 'changed' | 'added' | 'removed';
  /** The snapshot; undefined if it is missing or not a picture of the screen. */
  before: Picture | undefined;
  /** The picture of the run; undefined if the review no longer has the page. */
  after: Picture | undefined;
  /** SHA-256, in hex, of the content that is written if the change is approved. */
  digest: string;
  /** The texts on the page, if the harness took the picture. */
  texts: string;
  /**
   * Set if pages of the set were inserted or removed. Then the other pages have new numbers, and all changes
   * of the set must be approved together.
   */
  together: MovedSet | undefined;
  test: string | undefined;
  /** The path of the session's trace. */
  trace: string | undefined;
  /** Paths of the snapshot and of the shown picture. */
  path: string;
  shownPath: string | undefined;
}

/** A set in which pages and their snapshots have different numbers. */
export interface MovedSet {
  /** Path of the set. */
  path: string;
  /** Number of the changes of the set. */
  size: number;
  /** Maps the file name of a page to the file name of its snapshot. */
  moved: Readonly<Record<string, string>>;
}

/** The result of a search. */
export interface SnapshotChanges {
  /** Changes by name; at most 1000. */
  changes: readonly SnapshotChange[];
  /**
   * Number of the files that are not pictures of the screen, of the files whose names cannot be shown, and of
   * the directories that were not read.
   */
  leftOut: number;
}

/** Options of a search. */
export interface SnapshotSearchOptions {
  /** Whether to search only the directory itself, without its subdirectories. Default: false. */
  flat?: boolean;
}

/**
 * Finds the changed snapshots under a directory: pictures in the `…-failed` directories of expectSnapshots,
 * and pictures in a `snapshots-tmp` of Zemu or Ragger that differ from those in the `snapshots` next to it.
 * Links are not followed. Rejects with Node's error if the directory cannot be read.
 */
export async function findSnapshotChanges(
  directory: string,
  { flat = false }: SnapshotSearchOptions = {},
): Promise<SnapshotChanges> {
  const search = new Search(flat);
  await search.walk(resolve(directory), 0);
  const changes = search.changes.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { changes, leftOut: search.leftOut };
}

class Search {
  readonly changes: SnapshotChange[] = [];
  leftOut = 0;
  #entries = 0;

  constructor(private readonly flat: boolean) {}

  async walk(directory: string, depth: number): Promise<void> {
    for (const entry of await this.#list(directory, depth)) {
      if (!entry.isDirectory() || SKIPPED.includes(entry.name)) continue;
      const path = join(directory, entry.name);
      if (entry.name === TAKEN) await this.#compareTaken(path, join(directory, GOLDEN), depth + 1);
      else if (entry.name.endsWith(FAILED_SUFFIX)) await this.#readFailed(path);
      else if (!this.flat) await this.walk(path, depth + 1);
    }
  }

  /**
   * Lists a directory. If a limit is exceeded, counts the directory as left out and returns an empty list.
   */
  async #list(directory: string, depth: number): Promise<Dirent[]> {
    if (depth > MAX_DEPTH || this.#entries > MAX_ENTRIES) {
      this.leftOut += 1;
      return [];
    }
    const unreadable = () => {
      this.leftOut += 1;
      return [];
    };
    const listed = readdir(directory, { withFileTypes: true });
    const entries = await (depth === 0 ? listed : listed.catch(unreadable));
    this.#entries += entries.length;
    return entries;
  }

  async #readFailed(directory: string): Promise<void> {
    const set = directory.slice(0, -FAILED_SUFFIX.length);
    const pages = (await this.#list(directory, 1)).filter(isPage).map(({ name }) => name);
    const failure = parseFailure(
      `${(await readSmall(join(directory, FAILURE_FILE), MAX_FAILURE_BYTES)) ?? ''}`,
    );
    const { moved, removed } = failure;
    if (Object.keys(moved).length > 0) return this.#readMoved(directory, set, pages, failure);
    for (const page of pages) await this.#add(join(set, page), join(directory, page), failure);
    for (const page of removed) {
      const path = join(set, page);
      if (!pages.includes(page) && (await exists(path))) await this.#add(path, undefined, failure);
    }
  }

  async #readMoved(directory: string, path: string, pages: readonly string[], failure: SnapshotFailure) {
    const { moved, removed } = failure;
    const from = new Set([...Object.values(moved), ...removed]);
    const before = this.changes.length;
    for (const page of pages) {
      // A snapshot with the number of this page may belong to another page.
      const snapshot = moved[page] ?? (from.has(page) ? null : page);
      await this.#add(join(path, page), join(directory, page), failure, snapshot && join(path, snapshot));
    }
    for (const page of removed) await this.#add(join(path, page), undefined, failure);
    const changes = this.changes.slice(before);
    const together = { path, size: changes.length, moved };
    for (const change of changes) change.together = together;
  }

  /** Compares pictures of Zemu or Ragger, which write every page and keep the pages of earlier runs. */
  async #compareTaken(taken: string, golden: string, depth: number): Promise<void> {
    for (const entry of await this.#list(taken, depth)) {
      const paths = [join(taken, entry.name), join(golden, entry.name)] as const;
      if (entry.isDirectory()) await this.#compareTaken(...paths, depth + 1);
      else if (isPage(entry)) await this.#add(paths[1], paths[0], undefined);
    }
  }

  async #add(
    path: string,
    shownPath: string | undefined,
    failure: SnapshotFailure | undefined,
    snapshot: string | null = path,
  ): Promise<void> {
    const name = nameOf(path);
    const after = shownPath === undefined ? undefined : await readPictureFile(shownPath);
    const isUnreadable = shownPath !== undefined && after === undefined;
    if (isUnreadable || cleanText(name, MAX_NAME) !== name || this.changes.length >= MAX_CHANGES) {
      this.leftOut += 1;
      return;
    }
    const before = snapshot === null ? undefined : await readPictureFile(snapshot);
    if (before && after && samePixels(before, after)) return;
    const isThere = snapshot !== null && (before !== undefined || (await exists(snapshot)));
    this.changes.push({
      name,
      kind: after === undefined ? 'removed' : isThere ? 'changed' : 'added',
      before,
      after,
      digest: createHash('sha256')
        .update(after === undefined ? 'removed' : toBytes(after))
        .digest('hex'),
      texts: failure?.texts[path.slice(path.lastIndexOf(sep) + 1)] ?? '',
      together: undefined,
      test: failure?.test,
      trace: failure?.trace,
      path,
      shownPath,
    });
  }
}

/** Links do not count as files. */
const isPage = (entry: Dirent): boolean => entry.isFile() && PAGE_NAME.test(entry.name);

const toBytes = ({ buffer }: Picture): Uint8Array => new Uint8Array(buffer);

function nameOf(path: string): string {
  const name = relative(process.cwd(), path);
  return (name.startsWith('..') ? path : name).split(sep).join('/');
}

async function readPictureFile(path: string): Promise<Picture | undefined> {
  const bytes = await readSmall(path, MAX_PNG_BYTES);
  return bytes && readPicture(bytes);
}

/** Returns undefined if the path is a link, a pipe or the like, or a file longer than `maxBytes`. */
export async function readSmall(path: string, maxBytes: number): Promise<Buffer | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found?.isFile() || found.size > maxBytes) return undefined;
  return readFile(path).catch(() => undefined);
}

/** A link counts as existing. */
const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
