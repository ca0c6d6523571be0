/** One item of a review as the signer shows it, its pages joined. */
export type ReviewItem = [title: string, value: string];
