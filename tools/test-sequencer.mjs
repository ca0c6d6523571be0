// The order of `make test`: a long wait that begins last leaves the processors idle at the end.
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
   * The others in Jest's order: by the time that they took last, or by size where that is not known. With
   * TEST_ORDER=SEED, all in an order of the seed: the files of a worker share its modules.
   */
  sort(tests) {
    const all = [...tests];
    if (env.TEST_ORDER !== undefined) return all.sort(by(shuffled));
    const waiting = all.filter(test => rankOf(test) !== -1).sort(by(rankOf));
    return [...waiting, ...super.sort(all.filter(test => rankOf(test) === -1))];
  }
}
