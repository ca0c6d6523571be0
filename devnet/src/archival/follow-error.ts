/** Why an archival node rejects the followed node's answer. The message never contains that node's text. */
export class FollowError extends Error {
  override readonly name = 'FollowError';
}
