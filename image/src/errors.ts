/** The exit class of each code: wrong input, or an image that must not be trusted. */
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

/** An image that cannot be read, written or trusted; `code` gives the reason. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
  /** The class of exit code (docs/CLI.md#exit-codes) for this error. */
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
