// The order of `make test`: a long wait that begins last leaves the processors idle at the end.
import TestSequencer from '@jest/test-sequencer';

/** Files that mostly wait, the longest first. */
const WAITING = [
  'gateway/limits/one-client',
  'cli/conformance/faults',
  'cli/conformance/command',
  'journeys/processes',
  'journeys/chaos',
  'cli/hostile',
  'gateway/contract/contract',
  'gateway/http/handshakes',
];
const rankOf = ({ path }) => WAITING.findIndex(name => path.endsWith(`/test/${name}.test.js`));

export default class WaitingFirst extends TestSequencer {
  /** The others in Jest's order: by the time that they took last, or by size where that is not known. */
  sort(tests) {
    const all = [...tests];
    const waiting = all.filter(test => rankOf(test) !== -1).sort((one, other) => rankOf(one) - rankOf(other));
    return [...waiting, ...super.sort(all.filter(test => rankOf(test) === -1))];
  }
}
