import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { SCREEN_HEIGHT, SCREEN_WIDTH } from '@zbc-signer/protocol/limits';
import { encodeColours } from '../device/png.js';
import { EmulatorError } from '../errors.js';
import type { SnapshotChange } from './changes.js';
import { FAILURE_FILE, parseFailure } from './failure-file.js';

/** A snapshot could not be written. */
export class SnapshotApprovalError extends EmulatorError {
  override readonly name = 'SnapshotApprovalError';
  constructor(snapshot: string, reason: string) {
    super('SNAPSHOT_UNWRITABLE', `cannot approve ${snapshot}: ${reason}`);
  }
}

/**
 * Writes what was shown in place of the snapshot, or removes that of a page that is gone; what the harness
 * left of the failure is removed. Throws SnapshotApprovalError, also when a link leads out of the set's
 * place.
 */
export async function approveSnapshot(change: SnapshotChange): Promise<void> {
  const { name, path, after } = change;
  try {
    await requireOwnPlace(change);
    if (after === undefined) await rm(path, { force: true });
    else await writeWhole(path, encodeColours(after, SCREEN_WIDTH, SCREEN_HEIGHT));
    await forgetFailure(dirname(path), basename(path));
  } catch (error) {
    throw error instanceof SnapshotApprovalError
      ? error
      : new SnapshotApprovalError(name, `${Reflect.get(Object(error), 'code') ?? error}`);
  }
}

/** A link on the way from what was shown to the snapshot would lead elsewhere. */
async function requireOwnPlace({ name, path, shownPath = path }: SnapshotChange): Promise<void> {
  const [parts, shown] = [dirname(path).split(sep), dirname(shownPath).split(sep)];
  const common = parts.findIndex((part, at) => part !== shown[at]);
  for (let at = common < 0 ? parts.length - 1 : common; at < parts.length; at++) {
    const found = await lstat(parts.slice(0, at + 1).join(sep)).catch(() => undefined);
    if (found === undefined) break;
    if (!found.isDirectory()) throw new SnapshotApprovalError(name, 'its directory is a link or a file');
  }
  await mkdir(dirname(path), { recursive: true });
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** What Zemu and Ragger took stays: they write it again. */
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
