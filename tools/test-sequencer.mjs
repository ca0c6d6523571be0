// The order of the test files in `make test`. Files that mostly wait are first, because at the end, a long
// wait would leave the processors idle.
import { createHash } from 'node:crypto';
import { env } from 'node:process';
import TestSequencer from '@jest/test-sequencer';

/** Files that mostly wait, the longest first. */
const WAITING = [
  'gateway/limits/one-client',
  'journeys/processes',
  'cli/commands/conformance',
  'journeys/chaos',
  'gateway/contract/contract',
  'emulator/conformance/faults',
  'cli/commands/gateway',
  'gateway/http/handshakes',
];
const rankOf = ({ path }) => WAITING.findIndex(name => path.endsWith(`/test/${name}.test.js`));
const shuffled = ({ path }) => createHash('sha256').update(`${env.TEST_ORDER} ${path}`).digest('hex');
const by = key => (one, other) => (key(one) < key(other) ? -1 : 1);

export default class WaitingFirst extends TestSequencer {
  /**
   * Sorts the files that mostly wait before the others. The others are in Jest's order: by the duration of
   * their last run, or by their size if no duration is known. With TEST_ORDER=SEED, the seed determines the
   * order of all files, which shows whether a file depends on the files before it.
   */
  sort(tests) {
    const all = [...tests];
    if (env.TEST_ORDER !== undefined) return all.sort(by(shuffled));
    const waiting = all.filter(test => rankOf(test) !== -1).sort(by(rankOf));
    return [...waiting, ...super.sort(all.filter(test => rankOf(test) === -1))];
  }
}
