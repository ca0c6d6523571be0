// Looking into recorded sessions: steps in words, live devices, faults of a display.

export type { ReplyEntry } from './command-log/entry.js';
export { describeReply } from './command-log/reply-description.js';
export { readFirmware } from './device/firmware.js';
export { bisectTrace, type FaultScreen, type TraceExpectation, type TraceFault } from './trace/bisect.js';
export { describeTrace, type TraceStep } from './trace/description.js';
export { renderTracePage } from './trace/page.js';
export { TraceSeedError } from './trace/replay.js';
export { Trace, type TraceOptions } from './trace/trace.js';
