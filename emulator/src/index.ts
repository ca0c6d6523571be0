export type { ReviewItem } from '@zbc-signer/chain';
export { type CoverageSummary, compareWithBaseline, writeCoverageReport } from './coverage/report.js';
export type { Button } from './device/buttons.js';
export type { EmulatorEvents, EmulatorInput } from './device/events.js';
export type { KeystoreOptions, KeystoreVault } from './device/keystore/keystore.js';
export { Vault } from './device/keystore/vault.js';
export type { VaultModel, VaultPlace } from './device/keystore/vault-model.js';
export type { Screen, ScreenText } from './device/platform.js';
export { parseSeed, type SeedKind } from './device/seed.js';
export * from './errors.js';
export type { EmulatedSigner, EmulatorTransport } from './harness/emulated-signer.js';
export { Emulator } from './harness/emulator.js';
export type { EmulatorOptions } from './harness/emulator-options.js';
export { matchers } from './harness/jest-matchers.js';
export { ReplayMismatchError, replay } from './replay/replay.js';
export { expectReview, ReviewMismatchError } from './review/expect-review.js';
export type { ReviewedEmulator } from './review/review.js';
export { createSeed, restoreSeed, unlockSeed } from './review/seed-entry.js';
export type { AllowedClients } from './server/cors.js';
export {
  type EmulatorServer,
  type EmulatorServerOptions,
  formatReady,
  type Port,
  startEmulatorServer,
} from './server/emulator-server.js';
export {
  expectSnapshots,
  SnapshotMismatchError,
  type SnapshotOptions,
} from './snapshots/expect-snapshots.js';
export { type RecordedDevice, type Recorder, record } from './trace/recorder.js';
export {
  formatTrace,
  parseTrace,
  type RecordedFailure,
  type RecordedScreen,
  type RecordedStep,
  type Trace,
  TraceError,
} from './trace/trace.js';
export { TraceFile, TraceWriteError } from './trace/trace-file.js';
export type { SessionFailure } from './trace/trace-keeper.js';
export type { UsbOptions } from './usb/usb-device.js';
