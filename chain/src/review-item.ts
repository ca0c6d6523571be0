/** One item of a review, as the signer shows it on one or more pages. */
export type ReviewItem = [title: string, value: string];
