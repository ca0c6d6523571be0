// Changed snapshots of any test tool: finding them, showing them on a page, and approving them.

export { approveSnapshots, SnapshotApprovalError } from './approve.js';
export {
  findSnapshotChanges,
  type MovedSet,
  type SnapshotChange,
  type SnapshotChanges,
  type SnapshotSearchOptions,
} from './changes.js';
export { renderSnapshotPage, type SnapshotPageOptions } from './page.js';
export type { Picture } from './picture.js';
export { type ReviewServer, serveReview } from './review-server.js';
