export type { ReviewItem } from '@zbc-signer/chain';
export type { Button } from './device/buttons.js';
export type { Screen, ScreenText } from './device/platform.js';
export { parseSeed } from './device/seed.js';
export * from './errors.js';
export {
  Emulator,
  type EmulatorInput,
  type EmulatorOptions,
  type EmulatorTransport,
} from './harness/emulator.js';
export { expectReview, ReviewMismatchError } from './harness/expect-review.js';
export { matchers } from './harness/jest-matchers.js';
export { expectSnapshots, SnapshotMismatchError, type SnapshotOptions } from './harness/snapshots.js';
export type { AllowedClients } from './server/cors.js';
export {
  type EmulatorServer,
  type EmulatorServerOptions,
  type Port,
  readyLine,
  startEmulatorServer,
} from './server/emulator-server.js';
export { RecordDuringReviewError, type Recorder, record } from './session/record.js';
export {
  formatRecording,
  parseRecording,
  type RecordedScreen,
  type RecordedStep,
  type Recording,
  RecordingError,
} from './session/recording.js';
export { ReplayMismatchError, replay } from './session/replay.js';
export type { UsbOptions } from './usb/emulated-device.js';
