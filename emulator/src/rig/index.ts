export { openRig, type Rig, type RigOptions } from './open.js';
export type { Hands, Panel, SignerUnderTest, Step, WrongScreen } from './signer-under-test.js';
export { recordSteps } from './step-recorder.js';
export { withLimit } from './time-limit.js';
export { User, type UserTerminal } from './user.js';
