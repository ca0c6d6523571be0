// Changed snapshots of any test tool: what they are, a page of them, and approving them.

export { approveSnapshot, SnapshotApprovalError } from './snapshots/approve.js';
export {
  findSnapshotChanges,
  type SnapshotChange,
  type SnapshotChanges,
  type SnapshotSearchOptions,
} from './snapshots/changes.js';
export { renderSnapshotPage, type SnapshotPageOptions } from './snapshots/page.js';
export type { Picture } from './snapshots/picture.js';
export { type ReviewServer, serveReview } from './snapshots/review-server.js';
