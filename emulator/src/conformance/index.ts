// Conformance tests that compare a signer with this firmware: the signer under test, the checks and their
// reports.

export type { Button } from '../device/buttons.js';
export { openRealDevice, type RealDevice, type RealDeviceOptions } from '../real-device/open.js';
export type {
  DeviceControls,
  Panel,
  ScreenStep,
  SignerUnderTest,
  WrongScreen,
} from '../real-device/signer-under-test.js';
export { TerminalUser, type UserTerminal } from '../real-device/user.js';
export { type Check, type CheckGroup, ConformanceBench } from './bench.js';
export { type Cases, readCases, type SignedCase } from './cases.js';
export {
  type ConformanceRun,
  conformanceVerdict,
  conforms,
  countOutcomes,
  renderPage,
  withoutLeftOut,
} from './reports.js';
export {
  allChecks,
  type CheckOutcome,
  type CheckResult,
  listLeftOut,
  type RunOptions,
  runChecks,
} from './run.js';
