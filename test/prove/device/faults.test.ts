import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAULT_NAMES, plantFault } from '../../../prove/device/faults.js';
import { root } from '../../../testkit/repository/repository.js';

let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'zbc-signer-faults-'));
  cpSync(join(root, 'firmware'), join(copy, 'firmware'), { recursive: true });
});

afterEach(() => rmSync(copy, { recursive: true }));

it.each(FAULT_NAMES)('has one place in the firmware for: %s', name => {
  expect(() => plantFault(copy, name)).not.toThrow();
});

it('refuses a fault whose place is gone', () => {
  plantFault(copy, 'trailing-bytes-taken');
  expect(() => plantFault(copy, 'trailing-bytes-taken')).toThrow('not one place');
});

it('leaves no fault out of the checks', () => {
  const makefile = readFileSync(join(root, 'prove/prove.mk'), 'utf8').replaceAll('\\\n', ' ');
  const lists = [...makefile.matchAll(/^\w+_FAULTS := (.*)$/gm)].flatMap(([, names]) =>
    names!.trim().split(/\s+/),
  );
  expect([...new Set(lists)].sort()).toEqual([...FAULT_NAMES].sort());
});
