import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { packSessions, unpackSessions } from '../../../prove/fuzz/session/archive.js';
import { root } from '../../../testkit/repository/repository.js';

const CORPUS = join(root, 'prove/fuzz/session/corpus.bin');

test('writes each session after its length, which is little-endian', () => {
  const archive = packSessions([Uint8Array.of(7, 8, 9), new Uint8Array(0), new Uint8Array(258)]);
  expect(archive.subarray(0, 15).toString('hex')).toBe('030000000708090000000002010000');
  expect(archive).toHaveLength(3 * 4 + 3 + 258);
});

test('reads back the sessions that it packed', () => {
  const sessions = [Buffer.from('one'), Buffer.alloc(0), Buffer.alloc(70000, 1)];
  expect(unpackSessions(packSessions(sessions))).toEqual(sessions);
});

test('refuses an archive that is cut short', () => {
  const archive = packSessions([Buffer.from('session')]);
  expect(() => unpackSessions(archive.subarray(0, -1))).toThrow('cut short');
  expect(() => unpackSessions(archive.subarray(0, 3))).toThrow();
});

test('reads the committed corpus, which is smaller than 500 KB', () => {
  expect(statSync(CORPUS).size).toBeLessThan(500_000);
  expect(unpackSessions(readFileSync(CORPUS)).length).toBeGreaterThan(1000);
});
