/** Every code of an ImageError; stable between releases. */
export type ImageErrorCode =
  | 'BAD_IMAGE'
  | 'IMAGE_BROKEN'
  | 'IMAGE_NOT_SIGNED'
  | 'IMAGE_TOO_OLD'
  | 'NOT_RELEASED'
  | 'BUILDERS_DIFFER'
  | 'IMAGE_SIGNATURE'
  | 'BAD_SIGNING_KEY';

/** An image that cannot be read, written or trusted; `code` gives the reason. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  constructor(
    readonly code: ImageErrorCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
