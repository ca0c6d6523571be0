import { closestMatch } from 'leven';
import type { Chaos } from './chaos.js';
import { ChaosError } from './errors.js';
import { BUSY_ALIAS, CHAOS_KINDS } from './kinds.js';

const NAMES = CHAOS_KINDS.map(({ name }) => name);

/** `['drop=0.2,altered-hash', 'delay=100-500']`, as `--chaos` gives them; throws ChaosError. */
export function parseChaos(specs: readonly string[]): Chaos {
  let chaos: Chaos = {};
  const given = new Set<string>();
  for (const spec of specs.flatMap(words => words.split(',')).map(word => word.trim())) {
    const [word = '', ...rest] = spec.split('=');
    const name = word === BUSY_ALIAS ? 'busy' : word;
    const kind = CHAOS_KINDS.find(known => known.name === name);
    if (kind === undefined) throw unknown(word);
    if (given.has(name)) throw new ChaosError(`chaos ${name} was given more than once`);
    given.add(name);
    chaos = { ...chaos, ...kind.parse(rest.length === 0 ? undefined : rest.join('=')) };
  }
  return chaos;
}

function unknown(word: string): ChaosError {
  const near = closestMatch(word, NAMES, { maxDistance: Math.max(1, Math.floor(word.length / 3)) });
  const hint = near === undefined ? `Expected one of ${NAMES.join(', ')}.` : `Did you mean ${near}?`;
  return new ChaosError(`unknown chaos ${JSON.stringify(word.slice(0, 40))}`, hint);
}
