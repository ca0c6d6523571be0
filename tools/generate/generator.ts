/** One generated file: `path` from the repository's root; `content` gives the same text at every call. */
export interface Generator {
  path: string;
  content(): string;
}
