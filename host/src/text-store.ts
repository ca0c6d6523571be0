/** A place that keeps one text for a program, such as TextFile. */
export interface TextStore {
  /** Resolves with the text; undefined if nothing was kept. */
  load(): Promise<string | undefined>;
  /** Replaces the text as a whole. */
  store(text: string): Promise<void>;
}
