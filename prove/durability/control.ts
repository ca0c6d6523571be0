// Plants faults in copies of the compiled repository and runs the proof in each: it must report every one.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/repository.js';
import { plant } from '../planted-faults/fault.js';
import { openFolder } from '../temporary-folder.js';
import { NODE_FAULTS, type NodeFault } from './faults.js';

const KILLS = 20;
const folder = openFolder('zbc-durability-control-');
for (const part of ['node_modules', 'package.json', 'firmware', 'protocol']) {
  symlinkSync(join(root, part), join(folder, part));
}

/** What the proof says of the fault. */
function reportOf(fault: NodeFault): string {
  cpSync(join(root, 'dist'), join(folder, 'dist'), { recursive: true });
  const compiled = join(folder, 'dist', fault.path.replace(/\.ts$/, '.js'));
  writeFileSync(compiled, plant(readFileSync(compiled, 'utf8'), fault));
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'dist/prove/durability/main.js')], {
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
