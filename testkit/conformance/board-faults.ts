import type { BoardParts } from './model-board.js';

const ROW = 16;
const CANCEL = 6;
/** Offset of the length of a command or reply in its first report. */
const LENGTH_AT = 5;

const [LEFT, RIGHT, BOTH] = [1, 2, 3];
const ANY = [LEFT, RIGHT, BOTH];

const edit = (bytes: Uint8Array, change: (copy: Uint8Array) => void) => {
  const copy = bytes.slice();
  change(copy);
  return copy;
};

const reversed = (byte: number) =>
  Number.parseInt(byte.toString(2).padStart(8, '0').split('').reverse().join(''), 2);
const sequenceOf = (report: Uint8Array) => (report[3]! << 8) | report[4]!;

/** Whether a report is a reply with the reason CONTACT_PROOF, 28 in hex: field, offset, reason, MALFORMED. */
const isRefusedContact = (report: Uint8Array) =>
  sequenceOf(report) === 0 &&
  report[6] === 6 &&
  [0x28, 0x6a, 0x80].every((byte, at) => report[10 + at] === byte);

/** Takes the contacts out of a header of SIGN_TX that is a single command: P2 and what follows byte 44. */
function withoutContacts(report: Uint8Array): void {
  if (report[10] === 0) return;
  report[10] = 0;
  report[11] = 44;
  report[6] = 49;
}

/** Whether a report is a header of SIGN_MESSAGE with a commitment. */
const isHeaderWithCommitment = (report: Uint8Array) =>
  sequenceOf(report) === 0 && report[7] === 0xe0 && report[8] === 7 && report[9] === 0 && report[10] === 4;

function withoutCommitment(report: Uint8Array): void {
  report[10] = 0;
  report[11] = 8;
  report[6] = 13;
}

/** Whether a report is a reply with the reason REVEAL_MISMATCH. */
const isMismatch = (report: Uint8Array) =>
  sequenceOf(report) === 0 &&
  report[6] === 6 &&
  [0x2b, 0x6a, 0x80].every((byte, at) => report[10 + at] === byte);

/** Returns a function that returns true at every call whose number is a multiple of `count`. */
function everyNth(count: number): () => boolean {
  let calls = 0;
  return () => ++calls % count === 0;
}

/** Boards with one fault each, by the name of the fault. Each test creates its own board. */
export const BOARD_FAULTS: Readonly<Record<string, () => BoardParts>> = {
  'shows the display upside down': () => ({ show: frame => frame.slice().reverse().map(reversed) }),
  'shows each byte of a row mirrored': () => ({ show: frame => frame.map(reversed) }),
  'shows white for black': () => ({ show: frame => frame.map(byte => byte ^ 0xff) }),
  'leaves out the last row': () => ({ show: frame => edit(frame, copy => copy.fill(0, 63 * ROW)) }),
  'has a dead pixel': () => ({ show: frame => edit(frame, copy => (copy[20 * ROW + 3]! &= ~0x10)) }),
  'has a pixel that is always lit': () => ({ show: frame => edit(frame, copy => (copy[40 * ROW]! |= 0x80)) }),
  'shows the frame before the last': () => {
    let last = new Uint8Array(1024);
    return {
      show: frame => {
        const before = last;
        last = frame.slice();
        return before;
      },
    };
  },
  'misses one frame in fifty': () => {
    const misses = everyNth(50);
    return { show: (frame, before) => (misses() ? before : frame) };
  },
  'adds a new frame to the one before': () => ({
    show: (frame, before) => frame.map((byte, at) => byte | before[at]!),
  }),

  'takes left for right': () => ({
    press: button => [button === 'left' ? 'right' : button === 'right' ? 'left' : 'both'],
  }),
  'takes both for right': () => ({ press: button => [button === 'both' ? 'right' : button] }),
  'takes both for left and right': () => ({
    press: button => (button === 'both' ? ['left', 'right'] : [button]),
  }),
  'counts a press twice': () => ({ press: button => [button, button] }),
  'misses one press in twenty': () => {
    const misses = everyNth(20);
    return { press: button => (misses() ? [] : [button]) };
  },

  'does not debounce': () => ({ panel: { bouncing: ANY } }),
  'does not debounce both keys': () => ({ panel: { bouncing: [BOTH] } }),
  'counts a press that began before its page was shown': () => ({ panel: { early: ANY } }),
  'counts a press of both keys that began before its page was shown': () => ({ panel: { early: [BOTH] } }),
  'takes the answer to the page before for one to this page': () => ({ panel: { takesAnyAnswer: true } }),
  'repeats a key that is held': () => ({ panel: { repeated: { keys: ANY, everyMs: 400 } } }),
  'repeats the left key': () => ({ panel: { repeated: { keys: [LEFT], everyMs: 400 } } }),
  'repeats both keys': () => ({ panel: { repeated: { keys: [BOTH], everyMs: 400 } } }),
  'repeats a key that is held for two seconds': () => ({
    panel: { repeated: { keys: ANY, everyMs: 2000 } },
  }),
  'takes two keys that are let go apart one by one': () => ({ panel: { apartMs: 0 } }),
  'takes two keys that are let go 150 ms apart one by one': () => ({ panel: { apartMs: 150 } }),
  'decides on a page that was not shown': () => ({ panel: { ignoresAnswers: true } }),

  'is locked': () => ({ seed: () => undefined }),
  'reads a seed of zeros': () => ({ seed: seed => seed.fill(0) }),
  'reads the last byte of the seed wrongly': () => ({ seed: seed => edit(seed, copy => (copy[63]! ^= 1)) }),

  'stores no settings': () => ({ store: () => undefined }),
  'stores settings once': () => {
    let stored = false;
    return {
      store: settings => {
        if (stored) return undefined;
        stored = true;
        return settings;
      },
    };
  },
  'forgets settings when the power goes': () => ({ keep: () => undefined }),
  'damages settings when the power goes': () => ({
    keep: settings => settings && edit(settings, copy => (copy[5]! ^= 0x10)),
  }),
  'does not restart when the power goes': () => ({ restarts: false }),

  'loses the eighth bit of what it receives': () => ({ take: report => report.map(byte => byte & 0x7f) }),
  'loses the last byte of each report': () => ({ take: report => edit(report, copy => (copy[63] = 0)) }),
  'loses the fifth report of a command': () => ({
    take: report => (sequenceOf(report) === 4 ? undefined : report),
  }),
  'reads reports of a review too late': () => ({ take: (report, reviews) => (reviews ? undefined : report) }),
  'ignores a host that cancels': () => ({ take: report => (report[2] === CANCEL ? undefined : report) }),
  'takes two hosts for one': () => {
    let [last, undecided] = [new Uint8Array(2), new Uint8Array(2)];
    return {
      take: (report, reviews) => {
        last = report.slice(0, 2);
        if (!reviews) undecided = last;
        return edit(report, copy => copy.fill(0, 0, 2));
      },
      give: (report, reviews) => edit(report, copy => copy.set(reviews ? last : undecided)),
    };
  },
  'takes a report of a second host for one of the first': () => {
    let channel: Uint8Array | undefined;
    return {
      take: report => {
        channel ??= report.slice(0, 2);
        return edit(report, copy => copy.set(channel!));
      },
    };
  },

  'sends only the first report of a reply': () => ({
    give: report => (sequenceOf(report) === 0 ? report : undefined),
  }),
  'sends replies to channel 0': () => ({ give: report => edit(report, copy => copy.fill(0, 0, 2)) }),
  'sends the sequence number little-endian': () => ({
    give: report => edit(report, copy => copy.subarray(3, 5).reverse()),
  }),
  'decides a review at its first press': () => ({
    press: button => (button === 'right' ? [...Array<'right'>(20).fill('right'), 'left', 'both'] : [button]),
  }),
  'damages the last byte of a signature': () => ({
    give: report => (sequenceOf(report) === 1 ? edit(report, copy => (copy[11]! ^= 1)) : report),
  }),
  'accepts a contact without a proof': () => ({
    give: report =>
      isRefusedContact(report) ? edit(report, copy => copy.set([0, 2, 0x90, 0], LENGTH_AT)) : report,
  }),
  'cuts the name of a contact': () => ({
    take: report => (report[7] === 0xe0 && report[8] === 8 ? edit(report, copy => copy.fill(0, 46)) : report),
  }),
  'shows a contact without its name': () => ({
    take: report =>
      report[7] === 0xe0 && report[8] === 6 && report[9] === 0 ? edit(report, withoutContacts) : report,
  }),
  'ignores the commitment of a message': () => ({
    take: report => (isHeaderWithCommitment(report) ? edit(report, withoutCommitment) : report),
  }),
  'gives another R0': () => ({
    give: report => (report[5] === 0 && report[6] === 34 ? edit(report, copy => (copy[20]! ^= 1)) : report),
  }),
  'signs when other bytes are revealed': () => ({
    give: report => (isMismatch(report) ? edit(report, copy => copy.set([0, 66], LENGTH_AT)) : report),
  }),
  'answers during a review only after three seconds': () => ({ delayMs: reviews => (reviews ? 3000 : 0) }),
  'answers during a review after a second and a half': () => ({ delayMs: reviews => (reviews ? 1500 : 0) }),
};
