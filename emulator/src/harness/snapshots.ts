import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Screen, textsOf } from '../device/platform.js';
import { encodePng } from '../device/png.js';
import { EmulatorError } from '../errors.js';
import { checkOptions } from '../options.js';
import type { Emulator } from './emulator.js';
import { namingTrace } from './failure-trace.js';
import { drawPicture, type Picture, readPicture, samePixels } from './picture.js';
import { drawDifference } from './picture-difference.js';
import { walkToApprovePage, walkToFirstPage, walkToRejectPage } from './review.js';

const UPDATE_VARIABLE = 'ZBC_SIGNER_UPDATE_SNAPSHOTS';
const SNAPSHOT_NAME = /^\d{5}\.png$/;
const DIFFERENCE_NAME = /^\d{5}\.diff\.png$/;

/** How to compare a review with its pictures. */
export interface SnapshotOptions {
  /** Write the images instead of comparing. Default: whether ZBC_SIGNER_UPDATE_SNAPSHOTS is 1. */
  update?: boolean | undefined;
  /**
   * Approve or reject at the end and add an image of the next screen, as Zemu's compareSnapshotsAnd… does.
   */
  decide?: 'approve' | 'reject' | undefined;
  /** Fail instead of writing a missing set. Default: whether CI is set. */
  ci?: boolean | undefined;
}

const OPTIONS: Readonly<Record<keyof SnapshotOptions, true>> = { update: true, decide: true, ci: true };

/** `faults` has one line for each differing page, with the path of its difference image. */
export class SnapshotMismatchError extends EmulatorError {
  override readonly name = 'SnapshotMismatchError';
  constructor(
    readonly directory: string,
    readonly faults: readonly string[],
  ) {
    const hint = `to accept the new screens, run again with ${UPDATE_VARIABLE}=1`;
    super(
      'SNAPSHOT_MISMATCH',
      `snapshots in ${directory}:\n${faults.map(text => `  ${text}\n`).join('')}${hint}`,
    );
  }
}

/**
 * Waits for a review and compares the pixels of every page, including the approve page, with
 * `directory`/00000.png and so on. An empty directory is filled, except in CI. For a page that differs,
 * `directory`-failed/ gets an image of expected, actual and difference. Throws SnapshotMismatchError after
 * the last page and the decision.
 */
export function expectSnapshots(
  emulator: Emulator,
  directory: string,
  options: SnapshotOptions = {},
): Promise<void> {
  return namingTrace(emulator, compareSnapshots(emulator, directory, options));
}

async function compareSnapshots(
  emulator: Emulator,
  directory: string,
  options: SnapshotOptions,
): Promise<void> {
  checkOptions(options, OPTIONS);
  const { update = process.env[UPDATE_VARIABLE] === '1', ci = isCi(), decide } = options;
  await emulator.waitForReview();
  const pages = photographReview(emulator, decide);
  const set = new SnapshotSet(resolve(directory));
  await set.open();
  const writes = update || (set.isEmpty && !ci);
  if (!writes) await set.compare(pages);
  await emulator.confirmed();
  if (writes) await set.write(pages);
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

  constructor(private readonly directory: string) {
    this.#failed = `${directory}-failed`;
  }

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  /** Lists the snapshots and removes the differences of the previous run. */
  async open(): Promise<void> {
    this.#names = await listNames(this.directory, SNAPSHOT_NAME);
    const stale = await listNames(this.#failed, DIFFERENCE_NAME);
    await Promise.all(stale.map(name => rm(join(this.#failed, name))));
    // Fails if it holds other files.
    if (stale.length > 0) await rmdir(this.#failed).catch(() => undefined);
  }

  /** Writes the pages that differ and removes images beyond the last page. */
  async write(pages: readonly Screen[]): Promise<void> {
    await mkdir(this.directory, { recursive: true });
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
    for (const name of this.#beyond(pages)) faults.push(`${name}: the review no longer has this page`);
    if (faults.length > 0) throw new SnapshotMismatchError(this.directory, faults);
  }

  async #comparePage(page: number, screen: Screen): Promise<string | undefined> {
    const name = nameOf(page);
    const subject = `${name} (${textsOf(screen).join(' / ')})`;
    if (!this.#names.includes(name)) return `${subject}: no such snapshot`;
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
    return join(this.directory, name);
  }
}

/** `00000.png`, numbered as Zemu does. */
const nameOf = (page: number): string => `${`${page}`.padStart(5, '0')}.png`;

async function listNames(directory: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await readdir(directory)).filter(name => pattern.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
