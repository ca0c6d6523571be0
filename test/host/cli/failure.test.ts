import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure } from '../../../host/src/cli/failure.js';
import { readText, root } from '../../support/repository.js';

/** Every stable code that the sources give to an error, as they are written in them. */
function codesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => /(errors|status-errors)\.ts$/.test(name))
    .flatMap(name => [...readText(join(folder, name)).matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)'/g)])
    .map(match => match[1]!);
}

/** Of bugs, and of what happens only within a test. */
const BUGS = ['FIRMWARE_CRASH', 'DISCONNECTED', 'EMULATOR_STOPPED', 'NO_REVIEW'];
const NOT_CODES = ['EADDRINUSE', 'EACCES'];

test.each([...new Set(['host/src', 'emulator/src', 'gateway/src'].flatMap(codesIn))])(
  'the code %s has an exit code of its own kind',
  code => {
    if (!NOT_CODES.includes(code)) {
      const { exit } = describeFailure(Object.assign(new Error('words'), { code }));
      expect(exit === 1).toBe(BUGS.includes(code));
    }
  },
);
