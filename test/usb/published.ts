import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { packInto } from '../../testkit/packages/pack-all.js';
import { Project } from '../../testkit/packages/project.js';
import { root } from '../../testkit/repository/repository.js';

const TARBALLS = join(root, 'dist/usb-tarballs');
/**
 * Files that the guest's programs need besides the published packages, by their path in `dist` or the
 * repository.
 */
const FILES = {
  dist: ['test/usb/guest', 'testkit/guest/attach.js'],
  '.': ['README.md', 'vectors/transactions.json'],
};

/** A directory with the packages installed like a user's, and the programs for the guest. */
export function installPublished(): Project {
  packInto(TARBALLS);
  const project = new Project(TARBALLS);
  // The guest's ordinary user must be able to read it too.
  chmodSync(project.directory, 0o755);
  project.install(['protocol', 'chain', 'host', 'cli'], ['node-hid', 'usb']);
  for (const [base, paths] of Object.entries(FILES)) {
    for (const path of paths)
      cpSync(join(root, base, path), join(project.directory, path), { recursive: true });
  }
  return project;
}
