// Inspects recorded sessions: describes their steps, restores a device at a step, and finds a faulty step.

export type { ReplyEntry } from '../command-log/entry.js';
export { describeReply } from '../command-log/reply-description.js';
export { readFirmware, readRelease, releasedVersions } from '../device/firmware.js';
export { renderTest, type TestRunner } from '../trace/as-test.js';
export { TraceSeedError } from '../trace/trace.js';
export { bisectTrace, type FaultScreen, type TraceExpectation, type TraceFault } from './bisect.js';
export { describeTrace, type StepFailure, type TraceStep } from './description.js';
export { renderTracePage } from './page.js';
export { type TraceOptions, TracePlayer } from './trace-player.js';
