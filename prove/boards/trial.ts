import { execFile } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../testkit/repository.js';
import { replaceOnce } from '../../tools/image/replace-once.js';
import type { Fault, FaultGroup } from './fault.js';

const run = promisify(execFile);
const IMAGES = 'dist/boards';
/** What an image is made of besides the board's code. */
const TRANSLATED = ['signer.c', 'signer.h', 'signer.o', 'signer.ci', 'wasm-rt.h'];
const SEEDS = '2';
const DRAWN_MS = '5000';
const TIMEOUT_MS = 300_000;

/**
 * What the tests said of an image with a fault: the first failure, or undefined when they noticed nothing.
 */
export async function tryFault(
  fault: Fault,
  group: FaultGroup,
  directory: string,
): Promise<string | undefined> {
  const image = await buildWith(fault, group, directory);
  return firstFailure(image, group);
}

/** The directory of an image with the fault; throws when it does not compile. */
async function buildWith(
  { file, find, replace }: Fault,
  { board }: FaultGroup,
  directory: string,
): Promise<string> {
  const source = join(directory, 'boards');
  const out = join(directory, 'image');
  cpSync(join(root, 'firmware/boards'), source, { recursive: true });
  for (const name of TRANSLATED)
    cpSync(join(root, IMAGES, board, name), join(out, name), { preserveTimestamps: true });
  const planted = join(source, file);
  writeFileSync(planted, replaceOnce(readFileSync(planted, 'utf8'), find, replace));
  const settings = [`BOARD=${board}`, `SOURCE=${source}`, `OUT=${out}`, 'WARN='];
  const old = ['signer.c', 'signer.o', 'wasm-rt.h'].map(name => `--old-file=${join(out, name)}`);
  await run('make', ['--silent', '-f', 'firmware/boards/build.mk', ...old, ...settings], { cwd: root });
  return out;
}

async function firstFailure(
  image: string,
  { board, tests: [file, names] }: FaultGroup,
): Promise<string | undefined> {
  const jest = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'];
  const selected = [
    '--config',
    'test/boards/jest.json',
    '--selectProjects',
    board,
    '--bail',
    '--testPathPatterns',
    `/(${file})\\.test`,
    '-t',
    names,
  ];
  const env = { ...process.env, ZBC_BOARD_IMAGE: image, ZBC_BOARD_DRAWN_MS: DRAWN_MS, SEEDS };
  try {
    await run(process.execPath, [...jest, ...selected], { cwd: root, env, timeout: TIMEOUT_MS });
    return undefined;
  } catch (error) {
    return failureIn(String((error as { stderr?: string }).stderr ?? error));
  }
}

/** Throws when no test failed, so that a run that did not start is not taken for one that noticed. */
function failureIn(output: string): string {
  const [, failure] = /● (.*)/.exec(output) ?? [];
  if (!failure || !/Tests: .*\d+ failed/.test(output))
    throw new Error(`the tests did not run: ${output.slice(-500)}`);
  return failure;
}
