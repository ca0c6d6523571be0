export type { Chaos } from './chaos.js';
export type { ChaosError } from './errors.js';
export { CHAOS_KINDS } from './kinds.js';
export { parseChaos } from './parse.js';
export { drawSeed, MAX_SEED } from './random.js';
