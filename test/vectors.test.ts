import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { openTestDirectory } from '../testkit/process/temporary-directory.js';
import { readText, root } from '../testkit/repository/repository.js';
import { keystore } from '../testkit/repository/vectors.js';
import { ROLLS, WORDS } from '../tools/draw/pictures.js';

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

test('the five lines of Python in docs/SEEDS.md compute the words of every case', () => {
  const [, program = ''] = /```python\n([\s\S]*?)```/.exec(readText('docs/SEEDS.md')) ?? [];
  writeFileSync(join(copy, 'english.txt'), `${wordlist.join('\n')}\n`);
  const cases = [{ devicePart: '', record: ROLLS, mnemonic: WORDS }, ...keystore.seeds];
  const programs = cases.map(({ devicePart, record }) =>
    program.replace(`'${ROLLS}'`, `'${record}'`).replace("''", `'${devicePart}'`),
  );
  expect(program.trim().split('\n').length).toBe(5);
  // The programs run in one process, because its start takes most of the time.
  const { stdout } = spawnSync('python3', ['-c', programs.join('')], { cwd: copy, encoding: 'utf8' });
  expect(stdout.trim().split('\n')).toEqual(cases.map(({ mnemonic }) => mnemonic));
});
