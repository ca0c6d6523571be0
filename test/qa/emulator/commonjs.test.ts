import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { readText, root } from '../../../testkit/repository/repository.js';

const REQUIRES = /```cjs\n([\s\S]*?)```/.exec(readText('docs/TESTING.md'))![1]!;

const SUITE = `${REQUIRES}
test('confirms an address', async () => {
  const sim = attachZemu(new Zemu(stubElf()));
  await sim.start({ ...DEFAULT_START_OPTIONS, model: 'nanosp' });
  const reply = sim.getTransport().send(0xe0, 0x05, 0x01, 0x00, Buffer.alloc(4));
  await sim.emulator.emulator.approve();
  expect((await reply).subarray(-2).toString('hex')).toBe('9000');
  await sim.close();
});
`;

const directory = openTestDirectory();
beforeAll(() => {
  mkdirSync(join(directory, 'node_modules'));
  for (const name of ['@zondax', '@zbc-signer']) {
    symlinkSync(join(root, 'node_modules', name), join(directory, 'node_modules', name));
  }
  writeFileSync(join(directory, 'package.json'), '{"private":true}');
  writeFileSync(join(directory, 'address.test.js'), SUITE);
});

test("the example of docs/TESTING.md runs in Jest's default module format", () => {
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const env = { PATH: process.env.PATH ?? '' };
  const words = [jest, '--rootDir', directory, '--transform={}', '--testTimeout=300000'];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: directory, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, expect.stringContaining('1 passed, 1 total')]);
});
