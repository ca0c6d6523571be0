import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { AbortedError, ZbcSignerError } from '@zbc-signer/chain';
import * as emulator from '@zbc-signer/emulator';
import * as host from '@zbc-signer/host/node';
import { remedyOf } from '@zbc-signer/host/remedies';
import { readText, root } from '../../testkit/repository/repository.js';

interface Row {
  cause: string;
  remedy: string;
}

const PACKAGES = ['chain', 'host', 'emulator'];
const tables = PACKAGES.map(name => JSON.parse(readText(`${name}/errors.json`)) as Record<string, Row>);
const table: Record<string, Row> = Object.assign({}, ...tables);
const codes = Object.keys(table);
const sources = PACKAGES.flatMap(directory =>
  readdirSync(join(root, directory, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !name.includes('generated'))
    .map(name => ({ path: `${directory}/src/${name}`, source: readText(`${directory}/src/${name}`) })),
);

describe('the table of errors', () => {
  test.each(codes)('has a cause and a remedy for %s, which the sources throw', code => {
    const { cause, remedy } = table[code]!;
    expect(cause).toMatch(/^[A-Z].*\.$/);
    expect(remedy).toMatch(/^[A-Z].*\.$/);
    expect(remedy).not.toMatch(/zbc-signer |--/);
    expect(sources.filter(({ source }) => source.includes(`'${code}'`))).not.toEqual([]);
  });

  test.each(Object.keys(tables[2]!))("has a remedy for the emulator's %s, and the error carries it", code => {
    const error = new emulator.EmulatorError(code as emulator.EmulatorErrorCode, 'words');
    expect(remedyOf(error)).toBe(table[code]!.remedy);
    const others = sources.filter(({ path }) => !path.startsWith('emulator/'));
    expect(others.filter(({ source }) => source.includes(`'${code}'`))).toEqual([]);
  });

  test('has each code in one package, and a package throws only codes of its own or of packages below', () => {
    expect(codes).toHaveLength(tables.flatMap(Object.keys).length);
    const thrown = sources.flatMap(({ path, source }) =>
      [...source.matchAll(/new \w+Error\(\s*'([A-Z][A-Z0-9_]+)'/g)].map(([, code]) => ({
        path,
        code: code!,
      })),
    );
    const known = (path: string) => tables.slice(0, PACKAGES.indexOf(path.split('/')[0]!) + 1);
    expect(thrown.length).toBeGreaterThan(20);
    expect(thrown.filter(({ path, code }) => !known(path).some(rows => code in rows))).toEqual([]);
  });

  test('has no two codes that differ only in case, and matches the document', () => {
    expect(codes.filter(code => !/^[A-Z][A-Z0-9_]*$/.test(code))).toEqual([]);
    const document = readText('docs/ERRORS.md');
    expect(codes.filter(code => !document.includes(`| \`${code}\` |`))).toEqual([]);
  });
});

/**
 * Files that may throw other errors: test failures in the formats of other tools, and errors that become the
 * causes of typed errors.
 */
const OTHER_ERRORS = [
  'emulator/src/arbitrary/expect-case.ts',
  'emulator/src/jest.ts',
  'emulator/src/harness/jest-matchers.ts',
  'emulator/src/harness/pending-calls.ts',
  'emulator/src/speculos/zemu.ts',
  'emulator/src/device/device.ts',
  'emulator/src/server/http-server.ts',
  'host/src/device/transport/usb/usb-device.ts',
  'host/src/device/transport/usb/usbip.ts',
];

test('only errors of this project are thrown, except SyntaxError for JSON', () => {
  const thrown = sources.flatMap(({ path, source }) =>
    [...source.matchAll(/new (\w*Error)\(/g)].map(([, name]) => ({ path, name: name! })),
  );
  const foreign = thrown.filter(
    ({ name, path }) => /^(?:Error|RangeError|TypeError)$/.test(name) && !OTHER_ERRORS.includes(path),
  );
  expect(thrown.length).toBeGreaterThan(60);
  expect(foreign).toEqual([]);
});

describe('every class of error', () => {
  const classes = Object.entries<unknown>({ ...host, ...emulator })
    .map(([name, value]) => [name, Reflect.get(Object(value), 'prototype')] as const)
    .filter(([name, prototype]) => /Error$/.test(name) && prototype instanceof Error);

  test.each(classes)('%s is a ZbcSignerError', (_name, prototype) => {
    expect(prototype === ZbcSignerError.prototype || prototype instanceof ZbcSignerError).toBe(true);
  });

  test('is checked here: there are more than 20 classes', () => expect(classes.length).toBeGreaterThan(20));
});

test('an error carries its code, facts and cause, and has a remedy', () => {
  const error = new ZbcSignerError('FEE_TOO_HIGH', 'words', { facts: { fee: '9' }, cause: 7 });
  expect(error).toMatchObject({
    name: 'ZbcSignerError',
    code: 'FEE_TOO_HIGH',
    facts: { fee: '9' },
    cause: 7,
  });
  expect(remedyOf(error)).toBe(table.FEE_TOO_HIGH!.remedy);
  expect(remedyOf(new ZbcSignerError('BUSY', 'words', { hint: 'Wait.' }))).toBe('Wait.');
  expect(new AbortedError('why')).toMatchObject({ name: 'AbortedError', code: 'ABORTED', cause: 'why' });
});
