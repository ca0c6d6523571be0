// corpus unpack <archive>… <directory>: writes a file for each session, named by its hash, for the fuzzer.
// corpus pack <directory> <archive>: writes the files of a directory to an archive, in the order of their
// names.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packSessions, unpackSessions } from './archive.js';

function unpack(archives: string[], directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const session of archives.flatMap(archive => unpackSessions(readFileSync(archive)))) {
    writeFileSync(join(directory, createHash('sha1').update(session).digest('hex')), session);
  }
}

function pack(directory: string, archive: string): void {
  const sessions = readdirSync(directory)
    .sort()
    .map(name => readFileSync(join(directory, name)));
  writeFileSync(archive, packSessions(sessions));
  console.log(`${archive}: ${sessions.length} sessions`);
}

const [command, ...paths] = process.argv.slice(2) as [string, ...string[]];
const last = paths.pop()!;
if (command === 'pack') pack(paths[0]!, last);
else unpack(paths, last);
