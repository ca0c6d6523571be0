import { once } from 'node:events';
import { join } from 'node:path';
import { endProcess, startScript } from '../../testkit/process/child.js';
import { root } from '../../testkit/repository/repository.js';

const FORGETFUL = join(root, 'dist/testkit/process/forgetful-process.js');

test.each(['SIGKILL', 'SIGTERM'] as const)('a process ends when its parent was ended by %s', async signal => {
  const starter = await startScript(FORGETFUL, [], { stderr: 'pipe' });
  // Both write to the same stderr, which closes once both have ended.
  const closed = once(starter.child.stderr!.resume(), 'close');
  await endProcess(starter, signal);
  await closed;
});

test('a process that ends before its first line is reported', async () => {
  await expect(startScript('no-such-script.js', ['a word'], { stderr: 'ignore' })).rejects.toThrow(
    'no-such-script.js a word ended before it printed a line',
  );
});
