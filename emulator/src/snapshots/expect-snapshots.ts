import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { type Screen, textsOf } from '../device/platform.js';
import { encodePng, FOREGROUND, isLit, pngjs } from '../device/png.js';
import { EmulatorError } from '../errors.js';
import { checkChoice, checkOptions } from '../options.js';
import { align } from '../review/alignment.js';
import { attachScreenFault, nameTraceOnFailure } from '../review/failure-trace.js';
import {
  type ReviewedEmulator,
  walkToApprovePage,
  walkToFirstPage,
  walkToRejectPage,
} from '../review/review.js';
import { recordFrame } from '../trace/trace.js';
import { writeWhole } from '../write-whole.js';

const UPDATE_VARIABLE = 'ZBC_SIGNER_UPDATE_SNAPSHOTS';
const NO_PICTURE = 'the snapshot is not an opaque PNG of 128 × 64 pixels with at most 8 bits per colour';
const PAGE_NAME = /^\d{5}\.png$/;

/** Options of a comparison with snapshots. */
export interface SnapshotOptions {
  /** Whether to write the images instead of comparing. Default: whether ZBC_SIGNER_UPDATE_SNAPSHOTS is 1. */
  update?: boolean | undefined;
  /**
   * Approves or rejects at the end, and adds an image of the screen after the decision, as Zemu's methods
   * `compareSnapshotsAndApprove` and `compareSnapshotsAndReject` do.
   */
  decide?: 'approve' | 'reject' | undefined;
  /**
   * Whether to fail instead of writing a missing set. Default: whether the environment variable CI is set.
   */
  ci?: boolean | undefined;
}

const OPTIONS: Readonly<Record<keyof SnapshotOptions, true>> = { update: true, decide: true, ci: true };

/** The pages differ. `faults` has one line for each such page. */
export class SnapshotMismatchError extends EmulatorError {
  override readonly name = 'SnapshotMismatchError';
  constructor(
    readonly directory: string,
    readonly faults: readonly string[],
  ) {
    const hint = `to accept all screens of this test: run it again with ${UPDATE_VARIABLE}=1`;
    super(
      'SNAPSHOT_MISMATCH',
      `snapshots in ${directory}:\n${faults.map(text => `  ${text}\n`).join('')}${hint}`,
    );
  }
}

/**
 * Waits for a review and compares the pixels of every page, including the approve page, with
 * `directory`/00000.png and so on. An empty directory is filled, except in CI. Throws SnapshotMismatchError
 * after the last page and the decision; the trace that it names has the first page that differs, and the
 * expected picture.
 */
export function expectSnapshots(
  emulator: ReviewedEmulator,
  directory: string,
  options: SnapshotOptions = {},
): Promise<void> {
  return nameTraceOnFailure(emulator, compareSnapshots(emulator, directory, options));
}

async function compareSnapshots(
  emulator: ReviewedEmulator,
  directory: string,
  options: SnapshotOptions,
): Promise<void> {
  checkOptions(options, OPTIONS);
  const { update = process.env[UPDATE_VARIABLE] === '1', ci = isCi(), decide } = options;
  checkChoice('update', update, [true, false]);
  checkChoice('ci', ci, [true, false]);
  if (decide !== undefined) checkChoice('decide', decide, ['approve', 'reject']);
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

function photographReview(emulator: ReviewedEmulator, decide: SnapshotOptions['decide']): Screen[] {
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

interface Snapshot {
  name: string;
  /** Undefined if the file is not a picture of the screen. */
  picture: Picture | undefined;
}

interface ShownPage {
  screen: Screen;
  picture: Picture;
}

/**
 * The cost of a pair: 0 for equal pages, otherwise 1 plus a fraction for each pixel. All fractions together
 * are below 1.
 */
const differenceOf = ({ picture }: Snapshot, shown: ShownPage): number => {
  if (!picture) return 1;
  const differing = countDifferences(picture, shown.picture);
  return differing === 0 ? 0 : 1 + differing * 2 ** -24;
};

/** Describes the first page that differs, for the trace. */
function describeFault([expected, shown]: readonly (Snapshot | ShownPage | undefined)[] = []) {
  const frame = shown && 'screen' in shown ? recordFrame(shown.screen.frame, {}) : undefined;
  const picture = expected?.picture;
  return {
    ...(frame && { isShown: (screen: { frame: string }) => screen.frame === frame }),
    ...(picture && { expected: { texts: [], frame: frameOf(picture) } }),
  };
}

class SnapshotSet {
  #names: string[] = [];

  constructor(private readonly directory: string) {}

  get isEmpty(): boolean {
    return this.#names.length === 0;
  }

  /** Lists the snapshots. */
  async open(): Promise<void> {
    const names = await readdir(this.directory).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    this.#names = names.filter(name => PAGE_NAME.test(name)).sort();
  }

  /** Writes the pages that differ and removes images beyond the last page. */
  async write(pages: readonly Screen[]): Promise<void> {
    try {
      await mkdir(this.directory, { recursive: true });
      for (const [page, { frame }] of pages.entries()) {
        const before = await this.#read(nameOf(page));
        if (!before || countDifferences(before, drawPicture(frame)) > 0)
          await writeWhole(this.#path(nameOf(page)), encodePng(frame));
      }
      await Promise.all(this.#beyond(pages).map(name => rm(this.#path(name))));
    } catch (error) {
      const message = `cannot write the snapshots in ${this.directory}: ${(error as Error).message}`;
      throw new EmulatorError('SNAPSHOT_UNWRITABLE', message, { cause: error });
    }
  }

  async compare(pages: readonly Screen[]): Promise<void> {
    const faults: string[] = [];
    const removed: string[] = [];
    let page = 0;
    let first: readonly [Snapshot | undefined, ShownPage | undefined] | undefined;
    for (const [expected, shown] of await this.#align(pages)) {
      if (shown === undefined) {
        removed.push(expected.name);
        first ??= [expected, shown];
        continue;
      }
      const name = nameOf(page++);
      const fault = this.#comparePage(name, expected, shown);
      if (fault === undefined) continue;
      first ??= [expected, shown];
      faults.push(`${name} (${textsOf(shown.screen).join(' / ')}): ${fault}`);
    }
    for (const name of removed) faults.push(`${name}: the review no longer has this page`);
    if (faults.length === 0) return;
    throw attachScreenFault(new SnapshotMismatchError(this.directory, faults), describeFault(first));
  }

  /** Aligns snapshots and pages, so that an inserted page is one difference. */
  async #align(pages: readonly Screen[]) {
    const expected = await Promise.all(
      this.#names.map(async (name): Promise<Snapshot> => ({ name, picture: await this.#read(name) })),
    );
    const shown = pages.map((screen): ShownPage => ({ screen, picture: drawPicture(screen.frame) }));
    if (this.#names.every((name, page) => name === nameOf(page))) return align(expected, shown, differenceOf);
    // A picture was deleted, so the remaining pictures are compared by name.
    const pairs = shown.map((page, at) => [expected.find(({ name }) => name === nameOf(at)), page] as const);
    const beyond = new Set(this.#beyond(pages));
    return [
      ...pairs,
      ...expected.filter(({ name }) => beyond.has(name)).map(one => [one, undefined] as const),
    ];
  }

  /** Describes the difference of a page, if any. */
  #comparePage(name: string, expected: Snapshot | undefined, { picture }: ShownPage): string | undefined {
    if (!expected)
      return this.#names.includes(name)
        ? 'no such snapshot: the page was inserted before others'
        : 'no such snapshot';
    if (!expected.picture) return NO_PICTURE;
    const differing = countDifferences(expected.picture, picture);
    const was = expected.name === name ? '' : ` from ${expected.name}`;
    return differing === 0 ? undefined : `${differing} of ${picture.length} pixels differ${was}`;
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

/** Names pages `00000.png` and so on, like Zemu. */
const nameOf = (page: number): string => `${`${page}`.padStart(5, '0')}.png`;

/** Limit of a file; every image of the screen is smaller. */
const MAX_PNG_BYTES = 100_000;
const SIZE_OFFSET = 16;
const DEPTH_OFFSET = 24;
const MAX_BITS = 8;
const OPAQUE = 0xff;

/** The 0xRRGGBB colours of a screen's pixels, row by row. */
type Picture = Uint32Array;

/** The pixels that encodePng writes. */
function drawPicture(frame: Uint8Array): Picture {
  return Uint32Array.from({ length: SCREEN_WIDTH * SCREEN_HEIGHT }, (_, pixel) =>
    isLit(frame, pixel) ? 0x010101 * FOREGROUND : 0,
  );
}

/** Converts the bright pixels of a picture to 64 rows of 16 bytes; the highest bit is the leftmost pixel. */
function frameOf(picture: Picture): Uint8Array {
  const frame = new Uint8Array(picture.length / 8);
  for (const [pixel, colour] of picture.entries()) {
    if ((colour & 0xff00) > 0x7f00) frame[pixel >> 3]! |= 0x80 >> (pixel & 7);
  }
  return frame;
}

/**
 * Returns undefined unless the file is an opaque PNG of the screen's size, at most MAX_PNG_BYTES long, with
 * at most 8 bits per colour. Other images may look different in another viewer.
 */
function readPicture(png: Uint8Array): Picture | undefined {
  const bytes = Buffer.from(png);
  if (bytes.length <= DEPTH_OFFSET || bytes.length > MAX_PNG_BYTES) return undefined;
  const size = [bytes.readUInt32BE(SIZE_OFFSET), bytes.readUInt32BE(SIZE_OFFSET + 4)];
  if (size[0] !== SCREEN_WIDTH || size[1] !== SCREEN_HEIGHT) return undefined;
  if (bytes[DEPTH_OFFSET]! > MAX_BITS) return undefined;
  try {
    const { data } = pngjs().PNG.sync.read(bytes);
    for (let pixel = 0; pixel < data.length; pixel += 4) {
      if (data[pixel + 3] !== OPAQUE) return undefined;
    }
    return Uint32Array.from({ length: SCREEN_WIDTH * SCREEN_HEIGHT }, (_, pixel) =>
      data.readUIntBE(4 * pixel, 3),
    );
  } catch {
    return undefined;
  }
}

/** The number of pixels whose colours differ. */
function countDifferences(a: Picture, b: Picture): number {
  return a.filter((colour, pixel) => colour !== b[pixel]).length;
}
