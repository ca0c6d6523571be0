// Message types of the panel's stream, shared by server and page.

/** The outcome of an exchange; `failed` means that there was no reply. */
type Outcome = 'ok' | 'rejected' | 'refused' | 'failed';

/** A reply in words. */
export interface ReplyEntry {
  outcome: Outcome;
  /** Status word and its name, such as `6985 USER_REJECTED`; empty without a reply. */
  status: string;
  /** A description of the data; may be empty. */
  words: string;
  hex: string;
}

/** A command in words; has no `reply` while the user decides. */
export interface CommandEntry {
  id: number;
  atMs: number;
  words: string;
  hex: string;
  reply?: ReplyEntry;
}

export interface DrawnText {
  text: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A screen with its drawn texts, or a crash of the firmware, which has no texts. */
export interface EventEntry {
  atMs: number;
  texts: readonly DrawnText[];
  crash?: string;
}

/** `frame` is base64 of 64 rows of 16 bytes; the most significant bit of a byte is its leftmost pixel. */
export interface ScreenState {
  frame: string;
  texts: string[];
}

/** The server-sent events of /panel/stream by name: `snapshot` first, then changes. */
export interface PanelMessages {
  snapshot: { screen: ScreenState; commands: CommandEntry[]; events: EventEntry[] };
  screen: ScreenState;
  /** A new command, or the reply to a known one (by id). */
  command: CommandEntry;
  event: EventEntry;
  stop: Record<string, never>;
}
