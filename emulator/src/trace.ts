// Looking into recorded sessions: steps in words, live devices, faults of a display.

export { readFirmware } from './device/firmware.js';
export type { ReplyEntry } from './journal/entry.js';
export { describeReply } from './journal/reply-description.js';
export { bisectTrace, type FaultScreen, type TraceFault } from './trace/bisect.js';
export { describeTrace, type TraceStep } from './trace/description.js';
export type { TraceExpectation } from './trace/expectation.js';
export { renderTracePage } from './trace/page.js';
export { TraceSeedError } from './trace/seed.js';
export { Trace, type TraceOptions } from './trace/trace.js';
