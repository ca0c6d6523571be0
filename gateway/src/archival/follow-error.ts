/** Why an archival node does not take what the node that it follows says; the words are ours, never the other node's. */
export class FollowError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FollowError';
  }
}
