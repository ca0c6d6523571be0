// What the panel's stream carries, for the server that writes it and the page that shows it. Types only.

/** How an exchange ended; `failed` is one without a reply. */
export type Outcome = 'ok' | 'rejected' | 'refused' | 'failed';

export interface ReplyEntry {
  outcome: Outcome;
  /** `6985 USER_REJECTED`; empty when there is no reply. */
  status: string;
  /** What the reply says, possibly nothing beyond its status. */
  words: string;
  hex: string;
}

/** A command in words; it has no `reply` while the person decides. */
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

/** A screen that was drawn, by its texts, or a crash of the firmware, which has none. */
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

/** The server-sent events of /panel/stream by name: `snapshot` first, then what changes. */
export interface PanelMessages {
  snapshot: { screen: ScreenState; commands: CommandEntry[]; events: EventEntry[] };
  screen: ScreenState;
  /** New, or known by its id and now answered. */
  command: CommandEntry;
  event: EventEntry;
  stop: Record<string, never>;
}
