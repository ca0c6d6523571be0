// Conformance tests that compare a signer with this firmware: the signer under test, the checks and their
// reports.

export type { Button } from '../device/buttons.js';
export { openRig, type Rig, type RigOptions } from '../rig/open.js';
export type { Hands, Panel, SignerUnderTest, Step, WrongScreen } from '../rig/signer-under-test.js';
export { User, type UserTerminal } from '../rig/user.js';
export { Bench, type Check, type CheckGroup } from './bench.js';
export { type Cases, readCases, type SignedCase } from './cases.js';
export {
  conforms,
  countOutcomes,
  type Run,
  ranOf,
  renderConformanceJunit,
  renderPage,
  verdictOf,
} from './reports.js';
export {
  allChecks,
  type CheckOutcome,
  type CheckResult,
  leaveOut,
  type RunOptions,
  runChecks,
} from './run.js';
