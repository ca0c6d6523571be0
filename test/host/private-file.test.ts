import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextFile } from '@zbc-signer/host/node';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'private-file-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('a write removes what killed processes have left of the same file, and nothing else', async () => {
  const parts = ['record.json.7.00000000.part', 'record.json.8.00000000.part', 'other.json.7.00000000.part'];
  for (const name of [...parts, 'record.json.old']) writeFileSync(join(directory, name), '{');
  for (const name of [parts[0]!, parts[2]!, 'record.json.old'])
    utimesSync(join(directory, name), 1_700_000_000, 1_700_000_000);
  await new TextFile(join(directory, 'record.json')).store('{}');
  // The second part may be that of a program that is writing now.
  const left = [
    'other.json.7.00000000.part',
    'record.json',
    'record.json.8.00000000.part',
    'record.json.old',
  ];
  expect(readdirSync(directory).sort()).toEqual(left);
});
