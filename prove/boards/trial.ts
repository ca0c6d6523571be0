import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../testkit/repository/repository.js';
import { type Mutation, plant } from '../mutation.js';
import { runJest } from '../planted-faults/test-run.js';
import type { FaultGroup } from './fault.js';

const run = promisify(execFile);
const IMAGES = 'dist/boards';
/** Generated files that contain no board code. */
const TRANSLATED = ['signer.c', 'signer.o', 'keystore.c', 'keystore.o', 'wasm-rt.h'];
const SEEDS = '2';
/** Number of attempts before a board counts as not responding. */
const TURNS = '1000';
/** Maximum length of a printed test message. */
const MOST_SHOWN = 100;

/** Returns the first failure of the tests with a faulty image; undefined if they detect nothing. */
export async function tryFault(
  fault: Mutation,
  group: FaultGroup,
  directory: string,
): Promise<string | undefined> {
  const image = await buildWith(fault, group, directory);
  return firstFailure(image, fault, group, directory);
}

/**
 * Builds an image with the fault, and returns its directory. Compiles only the faulty file. Throws if the
 * compilation fails.
 */
async function buildWith(
  fault: Mutation,
  { board, hasVault }: FaultGroup,
  directory: string,
): Promise<string> {
  const source = join(directory, 'boards');
  const out = join(directory, 'image');
  cpSync(join(root, 'firmware/boards'), source, { recursive: true, preserveTimestamps: true });
  const isPart = (path: string) => !/^(zbc-signer|loader$)/.test(basename(path));
  cpSync(join(root, IMAGES, hasVault ? `${board}-vault` : board), out, {
    recursive: true,
    preserveTimestamps: true,
    filter: isPart,
  });
  plant(join(source, fault.file), fault);
  const settings = [
    `BOARD=${board}`,
    `SOURCE=${source}`,
    `OUT=${out}`,
    'WARN=',
    ...(hasVault ? ['VAULT=model'] : []),
  ];
  const old = TRANSLATED.map(name => `--old-file=${join(out, name)}`);
  const env = { ...process.env, MAKEFLAGS: '' };
  await run('make', ['--silent', '-f', 'firmware/boards/build.mk', ...old, ...settings], { cwd: root, env });
  return out;
}

async function firstFailure(
  image: string,
  { more: [noticedBy] }: Mutation,
  { board, tests: [file, names] }: FaultGroup,
  directory: string,
): Promise<string | undefined> {
  const options = [
    '--config=test/boards/jest.json',
    '--selectProjects',
    board,
    '--runInBand',
    `--cacheDirectory=${join(root, 'node_modules/.cache/jest')}`,
    `--testPathPatterns=/(${file})\\.test`,
    `--testNamePattern=${noticedBy ?? names}`,
  ];
  const env = { ZBC_BOARD_IMAGE: image, ZBC_BOARD_TURNS: TURNS, SEEDS };
  const { test, why = '' } = await runJest(root, directory, options, env);
  return test && `${test}: ${why.slice(0, MOST_SHOWN)}`;
}
