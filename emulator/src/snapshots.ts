import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EmulatorError } from './errors.js';
import type { Emulator } from './harness.js';
import { drawPicture, type Picture, readPicture, samePixels } from './picture.js';
import { drawDifference } from './picture-difference.js';
import { type Screen, textsOf } from './platform.js';
import { encodePng } from './png.js';
import { walkToApprovePage, walkToFirstPage, walkToRejectPage } from './review.js';

const UPDATE_VARIABLE = 'ZBC_SIGNER_UPDATE_SNAPSHOTS';
const SNAPSHOT_NAME = /^\d{5}\.png$/;
const DIFFERENCE_NAME = /^\d{5}\.diff\.png$/;

export interface SnapshotOptions {
  /** Write the pictures rather than compare them; by default what the variable ZBC_SIGNER_UPDATE_SNAPSHOTS=1 says. */
  update?: boolean | undefined;
  /** Decide at the end, with a picture of the screen after it: the pictures that Zemu's compareSnapshotsAnd… takes. */
  decide?: 'approve' | 'reject' | undefined;
  /** Never write a set that does not exist yet, but fail; by default whether the variable CI is set. */
  ci?: boolean | undefined;
}

/** One line a page that is wrong, with the file that shows how. */
export class SnapshotMismatchError extends EmulatorError {
  constructor(
    readonly folder: string,
    readonly faults: readonly string[],
  ) {
    const hint = `if the new screens are right, run again with ${UPDATE_VARIABLE}=1`;
    super(
      'SNAPSHOT_MISMATCH',
      `snapshots in ${folder}:\n${faults.map(text => `  ${text}\n`).join('')}${hint}`,
    );
  }
}

/**
 * Waits for a review and compares the pixels of every page, the approve page included, with `folder`/00000.png and so on.
 * A folder without snapshots is filled, except in CI. A page that differs is drawn in `folder`-failed/ as expected, shown
 * and difference side by side. Throws SnapshotMismatchError, after the walk and any decision are done.
 */
export async function expectSnapshots(
  emulator: Emulator,
  folder: string,
  { update = process.env[UPDATE_VARIABLE] === '1', ci = isCi(), decide }: SnapshotOptions = {},
): Promise<void> {
  await emulator.waitForReview();
  const pages = photographReview(emulator, decide);
  const set = new SnapshotSet(resolve(folder));
  await set.open();
  if (update || (set.isEmpty && !ci)) await set.write(pages);
  else await set.compare(pages);
}

function isCi(): boolean {
  return !['', '0', 'false'].includes(process.env.CI ?? '');
}

function photographReview(emulator: Emulator, decide: SnapshotOptions['decide']): Screen[] {
  walkToFirstPage(emulator);
  const pages = [...walkToApprovePage(emulator), emulator.screen];
  if (decide === 'reject') {
    walkToRejectPage(emulator);
    pages.push(emulator.screen);
  }
  if (decide) {
    emulator.press('both');
    pages.push(emulator.screen);
  }
  return pages;
}

class SnapshotSet {
  #names: string[] = [];
  readonly #failed: string;

  constructor(private readonly folder: string) {
    this.#failed = `${folder}-failed`;
  }

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  /** Lists what there is and forgets the differences of the run before. */
  async open(): Promise<void> {
    this.#names = await listNames(this.folder, SNAPSHOT_NAME);
    const stale = await listNames(this.#failed, DIFFERENCE_NAME);
    await Promise.all(stale.map(name => rm(join(this.#failed, name))));
    // Fails where somebody keeps other files in it.
    if (stale.length > 0) await rmdir(this.#failed).catch(() => undefined);
  }

  /** Writes the pages that differ, so that others keep their bytes, and removes pictures beyond the last. */
  async write(pages: readonly Screen[]): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    for (const [page, { frame }] of pages.entries()) {
      const shown = drawPicture(frame);
      const before = await this.#read(nameOf(page));
      if (!before || !samePixels(before, shown)) await writeFile(this.#path(nameOf(page)), encodePng(frame));
    }
    await Promise.all(this.#beyond(pages).map(name => rm(this.#path(name))));
  }

  async compare(pages: readonly Screen[]): Promise<void> {
    const faults: string[] = [];
    for (const [page, screen] of pages.entries()) {
      const fault = await this.#comparePage(page, screen);
      if (fault !== undefined) faults.push(fault);
    }
    for (const name of this.#beyond(pages)) faults.push(`${name}: the review has no such page any more`);
    if (faults.length > 0) throw new SnapshotMismatchError(this.folder, faults);
  }

  async #comparePage(page: number, screen: Screen): Promise<string | undefined> {
    const name = nameOf(page);
    const subject = `${name} (${textsOf(screen).join(' / ')})`;
    if (!this.#names.includes(name)) return `${subject}: there is no such snapshot`;
    const expected = await this.#read(name);
    if (!expected) return `${subject}: the snapshot is not a PNG of 128 × 64 pixels`;
    const shown = drawPicture(screen.frame);
    if (samePixels(expected, shown)) return undefined;
    const { png, differing } = drawDifference(expected, shown);
    const file = join(this.#failed, name.replace('.png', '.diff.png'));
    await mkdir(this.#failed, { recursive: true });
    await writeFile(file, png);
    return `${subject}: ${differing} of ${shown.length} pixels differ, see ${file}`;
  }

  async #read(name: string): Promise<Picture | undefined> {
    return this.#names.includes(name) ? readPicture(await readFile(this.#path(name))) : undefined;
  }

  #beyond(pages: readonly Screen[]): string[] {
    const wanted = new Set(pages.map((_, page) => nameOf(page)));
    return this.#names.filter(name => !wanted.has(name));
  }

  #path(name: string): string {
    return join(this.folder, name);
  }
}

/** `00000.png`, as Zemu counts. */
const nameOf = (page: number): string => `${`${page}`.padStart(5, '0')}.png`;

async function listNames(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(name => pattern.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
