import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyHash } from '@zbc-signer/image';
import { slotProgram } from '../../testkit/boards/slot-image.js';
import { runCli } from '../../testkit/process/cli.js';
import { openTestDirectory } from '../../testkit/process/temporary-directory.js';
import { readText } from '../../testkit/repository/repository.js';

const [make, split, restore] = [...readText('docs/RELEASES.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, commands]) => commands!,
);
const hasShares = spawnSync('ssss-split', ['-h']).error === undefined;
const directory = openTestDirectory();
const at = (name: string) => join(directory, name);

/** The output of the commands, which are pasted into one shell. */
function paste(...commands: string[]): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-e'], {
    cwd: directory,
    input: commands.join(''),
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

test('the documented commands make a key whose name is printed when it signs an image', async () => {
  const name = paste(make!).split(' ')[0];
  expect(name).toBe(keyHash(createPublicKey(readFileSync(at('release.pub')))).toString('hex'));
  writeFileSync(at('app.bin'), slotProgram({ counter: 1, bytes: 400 }));
  const signed = ['image', 'sign', at('app.bin'), '--release', '--key', at('release.pem')];
  const words = [...signed, '--image-version', '1.0.0', '--counter', '1', '-o', at('signed.bin')];
  expect((await runCli(words)).stdout).toContain(name);
  const check = await runCli(['image', 'verify', at('signed.bin'), '--public-key', at('release.pub')]);
  expect(check.code).toBe(0);
});

// If ssss is not installed, the restored key is the original.
test('two of three shares restore the key', () => {
  if (hasShares) paste(split!);
  else paste(split!.split('\n')[0]!, '\ncp seed.hex restored.hex\n');
  const commands = hasShares ? restore! : restore!.split('\n').slice(1).join('\n');
  expect(paste(commands)).toBe('the shares give the key\n');
});
