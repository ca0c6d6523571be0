/**
 * One generated file. `path` is relative to the repository's root; `content` returns the same text at every
 * call.
 */
export interface Generator {
  path: string;
  content(): string;
}
