/** The exit class of each code: whether the caller gave something wrong, or the image is not to be trusted. */
const EXITS = {
  BAD_IMAGE: 'usage',
  IMAGE_BROKEN: 'integrity',
  IMAGE_NOT_SIGNED: 'integrity',
  IMAGE_TOO_OLD: 'integrity',
  NOT_RELEASED: 'integrity',
  IMAGE_SIGNATURE: 'integrity',
  BAD_SIGNING_KEY: 'usage',
} as const;

/** Every code of an ImageError; stable between releases. */
export type ImageErrorCode = keyof typeof EXITS;

/** An image that cannot be read, written or trusted; `code` says which. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  /** The class of the exit codes (docs/CLI.md#exit-codes) that a program ends with. */
  readonly exit: 'usage' | 'integrity';
  constructor(
    readonly code: ImageErrorCode,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
    this.exit = EXITS[code];
  }
}
