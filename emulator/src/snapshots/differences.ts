import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findSnapshotChanges, type SnapshotChange } from './changes.js';
import { renderSnapshotPage } from './page.js';

const PAGE = 'differences.html';
/** Of test processes that write at the same time. */
const ATTEMPTS = 5;

/**
 * Writes `differences.html` with every changed set of snapshots in a directory, or removes it when there is
 * none. It is written again when another process has changed something meanwhile, so that the last one has
 * everything. Does nothing when it cannot be written: the failure of the test matters more.
 */
export async function writeDifferences(directory: string): Promise<void> {
  try {
    let found = await findSnapshotChanges(directory, { flat: true });
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { changes, leftOut } = found;
      if (changes.length === 0) await rm(join(directory, PAGE), { force: true });
      else await writePage(directory, await renderSnapshotPage(changes, { leftOut }));
      found = await findSnapshotChanges(directory, { flat: true });
      if (signatureOf(found.changes) === signatureOf(changes)) return;
    }
  } catch {
    // A directory that cannot be written.
  }
}

async function writePage(directory: string, page: string): Promise<void> {
  const temporary = join(directory, `.${PAGE}.${process.pid}`);
  await writeFile(temporary, page);
  await rename(temporary, join(directory, PAGE));
}

const signatureOf = (changes: readonly SnapshotChange[]): string =>
  changes.map(({ name, digest }) => `${name} ${digest}`).join('\n');
