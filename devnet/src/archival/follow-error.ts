/**
 * Thrown if an archival node rejects the followed node's answer. The message never contains text of that
 * node.
 */
export class FollowError extends Error {
  override readonly name = 'FollowError';
}
