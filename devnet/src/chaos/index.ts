export type { Chaos, ChaosError } from './chaos.js';
export { CHAOS_KINDS, parseChaos } from './kinds.js';
export { drawSeed, MAX_SEED } from './request-faults.js';
