import { spawnSync } from 'node:child_process';
import { quoteWord } from '#emulator/shell-word.js';

test.each(['/tmp/a.trace', '/tmp/a b', "/it's", '/x/$(id)`id`\\"*?~#', '-rf', '~', 'ä', '', 'a\nb'])(
  'a shell reads %p as it is',
  path => {
    const { stdout } = spawnSync('sh', ['-c', `printf %s ${quoteWord(path)}`], { encoding: 'utf8' });
    expect(stdout.replace(/^\.\//, '')).toBe(path);
  },
);
