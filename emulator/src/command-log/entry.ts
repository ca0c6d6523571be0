// The messages of the panel's stream, shared by server and page. Types only.

/** How an exchange ended; `failed` has no reply. */
type Outcome = 'ok' | 'rejected' | 'refused' | 'failed';

/** A reply in words. */
export interface ReplyEntry {
  outcome: Outcome;
  /** `6985 USER_REJECTED`; empty when there is no reply. */
  status: string;
  /** A description of the data; may be empty. */
  words: string;
  hex: string;
}

/** A command in words; without `reply` while the user decides. */
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

/** A drawn screen, by its texts, or a firmware crash, without texts. */
export interface EventEntry {
  atMs: number;
  texts: readonly DrawnText[];
  crash?: string;
}

/** `frame` is base64 of 64 rows of 16 bytes, most significant bit left. */
export interface ScreenState {
  frame: string;
  texts: string[];
}

/** The server-sent events of /panel/stream by name: `snapshot` first, then changes. */
export interface PanelMessages {
  snapshot: { screen: ScreenState; commands: CommandEntry[]; events: EventEntry[] };
  screen: ScreenState;
  /** A new command, or a known one (by id) that was answered. */
  command: CommandEntry;
  event: EventEntry;
  stop: Record<string, never>;
}
