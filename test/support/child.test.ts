import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endProcess, startScript } from './child.js';

const FORGETFUL = fileURLToPath(new URL('./forgetful-process.js', import.meta.url));

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a process ends when whoever started it is gone by %s',
  async signal => {
    const starter = await startScript(FORGETFUL, [], { stderr: 'pipe' });
    // Both write to the same stderr: it closes when both have ended.
    const closed = once(starter.child.stderr!.resume(), 'close');
    await endProcess(starter, signal);
    await closed;
  },
);

test('a process that ends before it said anything is told of', async () => {
  await expect(startScript('no-such-script.js', ['a word'], { stderr: 'ignore' })).rejects.toThrow(
    'no-such-script.js a word ended before it was ready',
  );
});
