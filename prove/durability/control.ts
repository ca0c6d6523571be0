// Plants faults in copies of the compiled repository and runs the proof in each: it must report every one.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectory } from '../../testkit/process/temporary-directory.js';
import { packages, root } from '../../testkit/repository/repository.js';
import { linkDependencies, outputDirectories } from '../../testkit/repository/source-copy.js';
import { plant } from '../mutation.js';
import { scriptOf } from '../planted-faults/build.js';
import { NODE_FAULTS, type NodeFault } from './faults.js';

const KILLS = 20;
const directory = openDirectory('zbc-durability-control-');
for (const part of ['package.json', 'firmware']) symlinkSync(join(root, part), join(directory, part));
for (const name of packages) {
  mkdirSync(join(directory, name));
  symlinkSync(join(root, name, 'package.json'), join(directory, name, 'package.json'));
}
linkDependencies(directory);

/** The proof's report of the fault. */
function reportOf(fault: NodeFault): string {
  for (const output of outputDirectories) {
    cpSync(join(root, output), join(directory, output), { recursive: true });
  }
  plant(join(directory, scriptOf(fault.path)), fault);
  const { status, stderr } = spawnSync(process.execPath, [join(directory, 'dist/prove/durability/main.js')], {
    encoding: 'utf8',
    env: { ...process.env, KILLS: `${KILLS}` },
  });
  return status === 0 ? '' : (/^Error: .*$|^.*Error: .*$/m.exec(stderr)?.[0] ?? stderr);
}

for (const fault of NODE_FAULTS) {
  const report = reportOf(fault);
  if (!fault.finding.test(report)) {
    console.error(`a node that ${fault.name} is not found: ${report || 'nothing is reported'}`);
    process.exitCode = 1;
  } else {
    console.log(`${fault.name}: ${report}`);
  }
}
