import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from './support/repository.js';

/** Rooms of the firmware in the order in which data flows back: each may import from itself and those before it. */
const FIRMWARE_ROOMS = ['crypto', 'transaction', 'review', 'screen', 'handlers', 'apdu'];

function sourcesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name));
}

/** What a file imports: paths from the repository's root for relative imports, else the package's name. */
function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(match => match[1]!);
  return specifiers.map(name => (name.startsWith('.') ? join(dirname(file), name) : name));
}

function importPairs(folder: string): [file: string, imported: string][] {
  return sourcesUnder(folder).flatMap(file => importsOf(file).map((name): [string, string] => [file, name]));
}

/** Imports of files under `folder` that `allowed` does not take. */
function strangers(folder: string, allowed: (imported: string) => boolean): string[] {
  return importPairs(folder)
    .filter(([, imported]) => !allowed(imported))
    .map(([file, imported]) => `${relative(folder, file)} imports ${imported}`);
}

const isUnder = (path: string, ...folders: string[]) => folders.some(folder => path.startsWith(`${folder}/`));

describe('the firmware', () => {
  const room = (name: string) => `firmware/assembly/${name}`;

  test.each(FIRMWARE_ROOMS.map((name, index) => [name, index] as const))(
    '%s never looks back',
    (name, index) => {
      const before = FIRMWARE_ROOMS.slice(0, index + 1).map(room);
      const shared = ['protocol', ...before];
      const state = index >= FIRMWARE_ROOMS.indexOf('handlers') ? [room('session')] : [];
      const platform = ['screen', 'handlers'].includes(name) ? [room('hal')] : [];
      const allowed = (path: string) => isUnder(path, ...shared) || [...state, ...platform].includes(path);
      expect(strangers(room(name), allowed)).toEqual([]);
    },
  );

  test('the screen knows items, never a transaction', () => {
    const allowed = (path: string) => !isUnder(path, room('transaction'), room('crypto'));
    expect(strangers(room('screen'), allowed)).toEqual([]);
  });

  test('only the approval of a transaction hashes it for signing', () => {
    const signers = importPairs('firmware/assembly')
      .filter(([file]) => /\bsignAs\(/.test(readFileSync(join(root, file), 'utf8')))
      .map(([file]) => relative(room('handlers'), file));
    expect([...new Set(signers)].sort()).toEqual(['key.ts', 'sign-message.ts', 'sign-tx.ts']);
  });
});

describe('the rest of the house', () => {
  test('the chain rules need nothing but the protocol and pure packages', () => {
    const packages = /^(@noble|@scure)\//;
    expect(strangers('chain/src', path => isUnder(path, 'chain', 'protocol') || packages.test(path))).toEqual(
      [],
    );
  });

  test('the emulator knows neither the host nor the gateway', () => {
    expect(strangers('emulator/src', path => !isUnder(path, 'host', 'gateway', 'tools', 'test'))).toEqual([]);
  });

  test('the gateway knows neither the host nor the emulator', () => {
    expect(strangers('gateway/src', path => !isUnder(path, 'host', 'emulator', 'tools', 'test'))).toEqual([]);
  });

  test('the host reaches the emulator and the gateway only from its command line', () => {
    const inside = strangers('host/src', path => !isUnder(path, 'emulator', 'gateway', 'tools', 'test'));
    expect(inside.filter(line => !line.startsWith('cli/'))).toEqual([]);
  });
});
