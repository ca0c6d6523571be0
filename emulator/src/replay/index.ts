// Inspects recorded sessions: describes their steps, and renders them as a page or a test.

export type { ReplyEntry } from '../command-log/entry.js';
export { renderTest, type TestRunner } from '../trace/as-test.js';
export { describeTrace, type StepFailure, type TraceStep } from './description.js';
export { renderTracePage } from './page.js';
