import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { packInto } from '../../testkit/packages/pack-all.js';
import { Project } from '../../testkit/packages/project.js';
import { root } from '../../testkit/repository/repository.js';

const TARBALLS = join(root, 'dist/usb-tarballs');
/** What the guest's programs need beside the published packages, by its place in `dist` or the repository. */
const FILES = {
  dist: ['test/usb/guest', 'testkit/guest/attach.js'],
  '.': ['README.md', 'vectors/transactions.json'],
};

/** A directory with the packages installed as a user installs them, and the programs for the guest. */
export function installPublished(): Project {
  packInto(TARBALLS);
  const project = new Project(TARBALLS);
  // The guest's ordinary user reads it too.
  chmodSync(project.directory, 0o755);
  project.install(['protocol', 'chain', 'host', 'cli'], ['node-hid', 'usb']);
  for (const [base, paths] of Object.entries(FILES)) {
    for (const path of paths)
      cpSync(join(root, base, path), join(project.directory, path), { recursive: true });
  }
  return project;
}
