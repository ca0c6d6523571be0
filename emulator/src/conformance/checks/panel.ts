import type { Button } from '../../device/buttons.js';
import type { Emulator } from '../../harness/emulator.js';
import type { Panel } from '../../real-device/signer-under-test.js';
import type { Bench, CheckGroup } from '../bench.js';
import { Nonconformity, NotTested } from '../bench.js';
import type { Cases } from '../cases.js';

/** Duration of a person's press. */
const PRESS_MS = 30;
/** Longer than the delay before keys repeat. */
const LONG_MS = 1500;
const BETWEEN_MS = 60;
const APART_MS = 100;
/** Longer than a signer waits for its panel, which is half a second. */
const WAITED_MS = 700;
/** Number of attempts at a check that depends on this machine's timing. */
const TRIES = 3;
const MOST_TRIES = 10;

type Keys = Button | undefined;

const press = (button: Button) => (reference: Emulator) => reference.press(button);

async function pressOn(panel: Panel, button: Button): Promise<void> {
  await panel.hold(button, PRESS_MS);
  await panel.hold(undefined, PRESS_MS);
}

/** Presses while the display accepts no frame: the page of the first press is drawn, but not shown. */
async function drawUnseen(panel: Panel, button: Button): Promise<void> {
  await panel.hold(undefined, PRESS_MS);
  panel.answers = false;
  await pressOn(panel, button);
}

/**
 * Passes if one attempt does, because this machine may be delayed; an attempt that resolves with false is
 * repeated.
 */
async function tryAgain(bench: Bench, attempt: () => Promise<boolean>): Promise<void> {
  let failures = 0;
  for (let turn = 0; turn < MOST_TRIES; turn++) {
    if (turn > 0) await bench.begin();
    try {
      if (await attempt()) return;
    } catch (error) {
      failures += 1;
      if (!(error instanceof Nonconformity) || failures === TRIES) throw error;
    }
  }
  throw new NotTested('this machine cannot have keys bounce for few enough milliseconds');
}

/**
 * Checks of a signer whose display and keys are at this end of its UART: accidental presses must not decide.
 */
export function panelChecks({ transactions, messages }: Cases): CheckGroup {
  const [transaction, message] = [transactions[0]!.commands, messages[0]!.commands];
  /** Opens a review on its first page. */
  const open = (bench: Bench) => bench.open(transaction);
  const again = (run: (bench: Bench) => Promise<boolean>) => (bench: Bench) =>
    tryAgain(bench, () => run(bench));
  return {
    name: 'panel',
    applies: ({ hands }) => hands.panel !== undefined,
    checks: [
      {
        name: 'a page that the display does not show decides nothing',
        run: async bench => {
          const review = await bench.open(message);
          await bench.follow(reference => reference.review());
          await bench.follow(press('left'));
          let isDecided = false;
          const note = () => {
            isDecided = true;
          };
          review.reply.then(note, note);
          await bench.misuse(async panel => {
            await drawUnseen(panel, 'right');
            for (let turn = 0; turn < 2; turn++) {
              await panel.hold(undefined, WAITED_MS);
              await pressOn(panel, 'both');
            }
            await panel.hold(undefined, WAITED_MS);
            panel.answers = true;
            await pressOn(panel, 'both');
          }, press('right'));
          if (isDecided) throw new Nonconformity('a press decided on a page that the display never showed');
          await bench.decide(review, 'approve');
        },
      },
      {
        name: 'keys that bounce are one press',
        run: again(async bench => {
          const review = await open(bench);
          for (const button of ['right', 'right', 'left'] as const) {
            let inTime = true;
            const bounce = async (panel: Panel) => {
              inTime = await panel.bounce(button);
              inTime = (await panel.bounce(undefined)) && inTime;
            };
            try {
              await bench.misuse(bounce, press(button));
            } catch (error) {
              if (!inTime) return false;
              throw error;
            }
          }
          await bench.decide(review, 'reject');
          return true;
        }),
      },
      {
        name: 'a key that is held for long is one press',
        run: async bench => {
          const review = await open(bench);
          await bench.misuse(async panel => {
            await panel.hold('right', LONG_MS);
            await panel.hold(undefined, PRESS_MS);
          }, press('right'));
          await bench.decide(review, 'reject');
        },
      },
      {
        name: 'two keys that are let go apart are both, whichever is first',
        run: async bench => {
          const chord = (first: Keys, last: Keys) => async (panel: Panel) => {
            await panel.hold(first, BETWEEN_MS);
            await panel.hold('both', BETWEEN_MS);
            await panel.hold(last, APART_MS);
            await panel.hold(undefined, PRESS_MS);
          };
          await bench.follow(press('right'));
          await bench.misuse(chord('right', 'left'), press('both'));
          await bench.begin();
          const review = await bench.open(message);
          await bench.follow(reference => reference.review());
          await bench.misuse(chord('left', 'right'), press('both'));
          await bench.expectDecided(review);
        },
      },
      ...(
        [
          ['is shown', 0],
          ['is shown late', WAITED_MS],
        ] as const
      ).map(([when, milliseconds]) => ({
        name: `a press that began before its page ${when} is ignored`,
        run: again(async bench => {
          const review = await open(bench);
          await bench.misuse(async panel => {
            await drawUnseen(panel, 'right');
            await panel.hold('right', milliseconds);
            panel.answer('last');
            panel.answers = true;
            await panel.hold('right', PRESS_MS);
            await panel.hold(undefined, PRESS_MS);
          }, press('right'));
          await bench.follow(press('right'));
          await bench.decide(review, 'reject');
          return true;
        }),
      })),
      {
        name: 'an answer to the previous page does not count for this one',
        run: again(async bench => {
          const review = await open(bench);
          await bench.misuse(async panel => {
            await drawUnseen(panel, 'right');
            panel.answer('before');
            await panel.hold(undefined, WAITED_MS);
            panel.answers = true;
            await pressOn(panel, 'right');
          }, press('right'));
          await bench.follow(press('right'));
          await bench.decide(review, 'reject');
          return true;
        }),
      },
    ],
  };
}
