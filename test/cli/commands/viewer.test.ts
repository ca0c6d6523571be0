import type { TraceStep } from '@zbc-signer/emulator/trace';
import { type Key, Viewer } from '#cli/commands/trace/viewer.js';

const STEPS = Array.from(
  { length: 30 },
  (_, step): TraceStep => ({
    step,
    kind: step === 0 ? 'start' : 'press',
    words: step === 0 ? 'start' : 'press right',
    atMs: 1000 * step,
    tookMs: 0.5,
    texts: [step === 7 || step === 21 ? 'Amount' : 'Type', `line ${step}`],
    frame: new Uint8Array(1024),
  }),
);

const NAMES: Record<string, Key> = {
  '→': { name: 'right' },
  '←': { name: 'left' },
  PgDn: { name: 'pagedown' },
  PgUp: { name: 'pageup' },
  Home: { name: 'home' },
  End: { name: 'end' },
  Enter: { name: 'return', sequence: '\r' },
  Backspace: { name: 'backspace', sequence: '\x7f' },
  Escape: { name: 'escape', sequence: '\x1b' },
};

const keysOf = (keys: string): Key[] =>
  keys
    .split(' ')
    .flatMap((word): Key[] =>
      NAMES[word] ? [NAMES[word]] : [...word].map(sequence => ({ sequence, name: sequence })),
    );

/** Returns the step that is on the screen after these keys. */
function stepAfter(keys: string): number {
  const viewer = new Viewer(STEPS);
  for (const key of keysOf(keys)) expect(viewer.press(key)).toBe(true);
  return Number(/^Step +(\d+) of 29$/m.exec(viewer.draw())![1]);
}

test.each([
  ['→ → →', 3],
  ['→ → ←', 1],
  ['←', 0],
  ['PgDn PgDn PgUp', 10],
  ['End', 29],
  ['End → Home', 0],
  ['/ amount Enter', 7],
  ['/ amount Enter n', 21],
  ['/ amount Enter n n', 7],
  ['/ amount Enter N', 21],
  ['/ nothing Enter', 0],
  ['/ amount Escape', 0],
  ['/ amountx Backspace Enter', 7],
  ['g 12 Enter', 12],
  ['g 999 Enter', 29],
  ['g x Enter', 0],
  ['n', 0],
])('%s shows step %p', (keys, step) => {
  expect(stepAfter(keys)).toBe(step);
});

test.each<[string, Key]>([
  ['q', { sequence: 'q', name: 'q' }],
  ['Escape', { name: 'escape' }],
  ['Ctrl-C', { name: 'c', ctrl: true }],
])('%s ends the view', (_, key) => {
  expect(new Viewer(STEPS).press(key)).toBe(false);
});

test('q is a letter in a search', () => {
  const viewer = new Viewer(STEPS);
  for (const key of keysOf('/ q')) expect(viewer.press(key)).toBe(true);
  expect(viewer.draw()).toContain('\n/q\n');
});
