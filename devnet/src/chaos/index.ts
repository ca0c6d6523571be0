export type { Chaos, ChaosError } from './chaos.js';
export { CHAOS_KINDS, parseChaos } from './kinds.js';
export { MAX_SEED, randomSeed } from './request-faults.js';
