import type { Button } from '../../device/buttons.js';
import type { Emulator } from '../../harness/emulator.js';
import type { Panel } from '../../real-device/signer-under-test.js';
import type { CheckGroup, ConformanceBench } from '../bench.js';
import { Nonconformity, NotTested } from '../bench.js';
import type { Cases } from '../cases.js';

/** Duration of a person's press. */
const PRESS_MS = 30;
/** Longer than the delay after which a held key might repeat. */
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

/**
 * Presses while the panel accepts no frame: the signer draws the next page, but the panel does not show it.
 */
async function drawUnseen(panel: Panel, button: Button): Promise<void> {
  await panel.hold(undefined, PRESS_MS);
  panel.answers = false;
  await pressOn(panel, button);
}

/**
 * Passes if one attempt passes, because this machine may be too slow at times. An attempt that resolves with
 * false was too slow to test anything, and is repeated.
 */
async function tryAgain(bench: ConformanceBench, attempt: () => Promise<boolean>): Promise<void> {
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
  throw new NotTested('this machine is too slow to let keys bounce for only a few milliseconds');
}

/**
 * Checks that accidental presses do not decide. They need a signer whose display and keys are at this end of
 * its UART.
 */
export function panelChecks({ transactions, messages }: Cases): CheckGroup {
  const [transaction, message] = [transactions[0]!.commands, messages[0]!.commands];
  /** Opens a review on its first page. */
  const open = (bench: ConformanceBench) => bench.open(transaction);
  const again = (run: (bench: ConformanceBench) => Promise<boolean>) => (bench: ConformanceBench) =>
    tryAgain(bench, () => run(bench));
  return {
    name: 'panel',
    applies: ({ controls }) => controls.panel !== undefined,
    checks: [
      {
        name: 'no press decides on a page that the display does not show',
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
        name: 'a bouncing key counts as one press',
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
        name: 'a key that is held for a long time counts as one press',
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
        name: 'two overlapping keys count as both, in any order',
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
        name: 'an acknowledgement of the previous page does not count for this page',
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
