export type { Chaos, ChaosError } from './chaos.js';
export { drawSeed, MAX_SEED } from './fate.js';
export { CHAOS_KINDS, parseChaos } from './kinds.js';
