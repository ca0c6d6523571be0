import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openTestDirectory } from '../testkit/process/temporary-directory.js';
import { root } from '../testkit/repository/repository.js';

const copy = openTestDirectory();
const vectors = join(copy, 'vectors');
beforeAll(() => {
  for (const path of ['vectors', 'firmware/networks.json'])
    cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

const check = () => {
  const { status, stdout, stderr } = spawnSync('python3', ['-B', 'make.py', '--check'], {
    cwd: vectors,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

test('all expected values in the vectors follow from their inputs', () => {
  expect(check()).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('the check finds a changed character of an expected value in each file', () => {
  const files = readdirSync(vectors).filter(name => name.endsWith('.json'));
  for (const name of files) {
    const path = join(vectors, name);
    const text = readFileSync(path, 'utf8');
    // The last letter or digit of each file is part of a computed value.
    writeFileSync(
      path,
      text.replace(/\w(?=\W*$)/, last => (last === '0' ? '1' : '0')),
    );
  }
  const { status, stdout } = check();
  expect(status).toBe(1);
  expect(stdout.match(/^[\w-]+\.json/gm)).toEqual(files.sort());
});
