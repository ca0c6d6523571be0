// Plants faults in copies of the compiled repository, and runs the test in each copy: it must report the
// fault.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { plant } from '../../../prove/mutation.js';
import { scriptOf } from '../../../prove/planted-faults/build.js';
import { openDirectory } from '../../../testkit/process/temporary-directory.js';
import { packages, root } from '../../../testkit/repository/repository.js';
import { linkDependencies, outputDirectories } from '../../../testkit/repository/source-copy.js';
import { NODE_FAULTS, type NodeFault } from './faults.js';

const KILLS = 20;
const directory = openDirectory('zbc-durability-control-');
for (const part of ['package.json', 'firmware']) symlinkSync(join(root, part), join(directory, part));
for (const name of packages) {
  mkdirSync(join(directory, name));
  symlinkSync(join(root, name, 'package.json'), join(directory, name, 'package.json'));
}
linkDependencies(directory);

/** What the test reports about a node with the fault. */
function reportOf(fault: NodeFault): string {
  for (const output of outputDirectories) {
    cpSync(join(root, output), join(directory, output), { recursive: true });
  }
  plant(join(directory, scriptOf(fault.path)), fault);
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(directory, 'dist/test/stress/durability/main.js')],
    {
      encoding: 'utf8',
      env: { ...process.env, KILLS: `${KILLS}` },
    },
  );
  return status === 0 ? '' : (/^Error: .*$|^.*Error: .*$/m.exec(stderr)?.[0] ?? stderr);
}

for (const fault of NODE_FAULTS) {
  const report = reportOf(fault);
  if (!fault.finding.test(report)) {
    console.error(`the test did not find that a node ${fault.name}: ${report || 'it reported nothing'}`);
    process.exitCode = 1;
  } else {
    console.log(`${fault.name}: ${report}`);
  }
}
