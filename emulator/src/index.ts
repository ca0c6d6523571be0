export type { Button } from './buttons.js';
export * from './errors.js';
export { expectReview, ReviewMismatchError } from './expect-review.js';
export { Emulator, type EmulatorInput, type EmulatorOptions, type EmulatorTransport } from './harness.js';
export { matchers } from './jest-matchers.js';
export type { Screen, ScreenText } from './platform.js';
export {
  type EmulatorServer,
  type EmulatorServerOptions,
  type Port,
  readyLine,
  startEmulatorServer,
} from './process.js';
export { RecordDuringReviewError, type Recorder, record } from './record.js';
export {
  formatRecording,
  parseRecording,
  type RecordedScreen,
  type RecordedStep,
  type Recording,
  RecordingError,
} from './recording.js';
export { ReplayMismatchError, replay } from './replay.js';
export type { ReviewItem } from './review-pages.js';
export { expectSnapshots, SnapshotMismatchError, type SnapshotOptions } from './snapshots.js';
