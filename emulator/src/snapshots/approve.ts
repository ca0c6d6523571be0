import { lstat, mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { encodeColours } from '../device/png.js';
import { EmulatorError } from '../errors.js';
import { writeWhole } from '../write-whole.js';
import { type MovedSet, readSmall, type SnapshotChange } from './changes.js';
import { FAILURE_FILE, parseFailure } from './failure-file.js';
import { MAX_PNG_BYTES } from './picture.js';

/** A snapshot could not be written. */
export class SnapshotApprovalError extends EmulatorError {
  override readonly name = 'SnapshotApprovalError';
  constructor(snapshot: string, reason: string) {
    super('SNAPSHOT_UNWRITABLE', `cannot approve ${snapshot}: ${reason}`);
  }
}

/**
 * Replaces snapshots by the shown pictures, removes the snapshots of pages that no longer exist, and removes
 * the harness's files about the failures. Throws SnapshotApprovalError if a file cannot be written, or if a
 * link leads out of the directory of a set. If the pages of a set have new numbers, all its changes must be
 * approved together; otherwise throws SnapshotApprovalError before it writes anything.
 */
export async function approveSnapshots(changes: readonly SnapshotChange[]): Promise<void> {
  const sets = new Map<string, SnapshotChange[]>();
  for (const change of changes) {
    const { path } = change.together ?? change;
    sets.set(path, [...(sets.get(path) ?? []), change]);
  }
  for (const [{ name, together }, ...others] of sets.values() as Iterable<[SnapshotChange]>) {
    if (together === undefined || together.size === 1 + others.length) continue;
    const reason = `the pages of its set have new numbers: approve all ${together.size} changes of ${together.path}`;
    throw new SnapshotApprovalError(name, reason);
  }
  for (const set of sets.values()) {
    const together = set[0]?.together;
    if (together) await approveMoved(set, together);
    else for (const change of set) await approveSnapshot(change);
  }
}

/** Rewrites a set: writes the changes, and gives the snapshots of the other pages their new numbers. */
async function approveMoved(changes: readonly SnapshotChange[], { path, moved }: MovedSet): Promise<void> {
  const { name } = changes[0]!;
  try {
    await requireOwnPlace({
      name,
      path: join(path, FAILURE_FILE),
      shownPath: join(`${path}-failed`, FAILURE_FILE),
    });
    const kept = Object.entries(moved).map(async ([page, snapshot]) => {
      const bytes = await readSmall(join(path, snapshot), MAX_PNG_BYTES);
      if (bytes === undefined)
        throw new SnapshotApprovalError(name, `${snapshot} is not a picture of the screen`);
      return [page, bytes] as const;
    });
    const pages = new Map<string, Uint8Array>(await Promise.all(kept));
    for (const { path: page, after } of changes) {
      if (after) pages.set(basename(page), encodeColours(after, SCREEN_WIDTH, SCREEN_HEIGHT));
    }
    const removed = changes.filter(({ after }) => after === undefined).map(change => basename(change.path));
    for (const [page, bytes] of pages) await writeWhole(join(path, page), bytes);
    for (const snapshot of [...Object.values(moved), ...removed]) {
      if (!pages.has(snapshot)) await rm(join(path, snapshot));
    }
    await rm(`${path}-failed`, { recursive: true });
  } catch (error) {
    throw unwritable(name, error);
  }
}

const unwritable = (name: string, error: unknown): SnapshotApprovalError =>
  error instanceof SnapshotApprovalError
    ? error
    : new SnapshotApprovalError(name, `${Reflect.get(Object(error), 'code') ?? error}`);

async function approveSnapshot(change: SnapshotChange): Promise<void> {
  const { name, path, after } = change;
  try {
    await requireOwnPlace(change);
    if (after === undefined) await rm(path, { force: true });
    else await writeWhole(path, encodeColours(after, SCREEN_WIDTH, SCREEN_HEIGHT));
    await forgetFailure(dirname(path), basename(path));
  } catch (error) {
    throw unwritable(name, error);
  }
}

/**
 * Throws if a link on the path to the snapshot would lead elsewhere. Creates the directory if it is missing.
 */
async function requireOwnPlace({
  name,
  path,
  shownPath = path,
}: Pick<SnapshotChange, 'name' | 'path' | 'shownPath'>): Promise<void> {
  const [parts, shown] = [dirname(path).split(sep), dirname(shownPath).split(sep)];
  const common = parts.findIndex((part, at) => part !== shown[at]);
  for (let at = common < 0 ? parts.length - 1 : common; at < parts.length; at++) {
    const found = await lstat(parts.slice(0, at + 1).join(sep)).catch(() => undefined);
    if (found === undefined) break;
    if (!found.isDirectory())
      throw new SnapshotApprovalError(name, 'a directory on its path is a link or a file');
  }
  await mkdir(dirname(path), { recursive: true });
}

/**
 * Removes the files about a failure. Pictures of Zemu and Ragger stay, because these tools overwrite them.
 */
async function forgetFailure(set: string, page: string): Promise<void> {
  const failed = `${set}-failed`;
  await rm(join(failed, page), { force: true });
  await rm(join(failed, page.replace(/png$/, 'diff.png')), { force: true });
  const [file, ...others] = await readdir(failed).catch(() => []);
  if (file !== FAILURE_FILE || others.length > 0) return;
  const { removed } = parseFailure(await readFile(join(failed, file), 'utf8'));
  const pages = await readdir(set);
  if (removed.some(each => pages.includes(each))) return;
  await rm(join(failed, file));
  await rmdir(failed);
}
