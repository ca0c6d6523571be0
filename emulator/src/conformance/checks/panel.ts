import type { Button } from '../../device/buttons.js';
import type { Emulator } from '../../harness/emulator.js';
import type { Panel } from '../../real-device/signer-under-test.js';
import type { CheckGroup, ConformanceBench } from '../bench.js';
import { Nonconformity, NotTested } from '../bench.js';
import type { Cases } from '../cases.js';

/** Duration of a person's press. */
const PRESS_MS = 30;
/** Longer than the delay after which a held key might repeat. */
const LONG_MS = 2100;
const BETWEEN_MS = 60;
const APART_MS = 200;
/** Longer than a signer waits for its panel, which is half a second. */
const WAITED_MS = 700;
/** Number of attempts at a check that depends on this machine's timing. */
const TRIES = 3;
const MOST_TRIES = 10;
/** Presses that lead from the approve page to the item before it, back to that page, and to the approval. */
const PRESSES: readonly Button[] = ['left', 'right', 'both'];

type Keys = Button | undefined;
type Misuse = (panel: Panel, button: Button) => Promise<unknown>;

const press = (button: Button) => (reference: Emulator) => reference.press(button);

const pressOn: Misuse = async (panel, button) => {
  await panel.hold(button, PRESS_MS);
  await panel.hold(undefined, PRESS_MS);
};

/**
 * Returns a check that passes if one attempt passes, because this machine may be too slow at times. An attempt
 * that resolves with false was too slow to test anything, and is repeated.
 */
const again = (attempt: (bench: ConformanceBench) => Promise<unknown>) => async (bench: ConformanceBench) => {
  let failures = 0;
  for (let turn = 0; turn < MOST_TRIES; turn++) {
    if (turn > 0) await bench.begin();
    try {
      if ((await attempt(bench)) !== false) return;
    } catch (error) {
      failures += 1;
      if (!(error instanceof Nonconformity) || failures === TRIES) throw error;
    }
  }
  throw new NotTested('this machine is too slow to let keys bounce for only a few milliseconds');
};

/**
 * Checks that accidental presses do not decide. They need a signer whose display and keys are at this end of
 * its UART.
 */
export function panelChecks({ messages }: Cases): CheckGroup {
  /** Opens a review on its approve page. */
  const open = async (bench: ConformanceBench) => {
    const review = await bench.open(messages[0]!.commands);
    await bench.follow(reference => reference.review());
    return review;
  };
  /** Expects that keys count as one press when they are released, and as none before. */
  const counted = (down: Misuse, up: (panel: Panel) => Promise<void>) => async (bench: ConformanceBench) => {
    const review = await open(bench);
    for (const button of PRESSES) {
      await bench.misuse(async panel => {
        try {
          await down(panel, button);
          await bench.look();
        } catch (error) {
          // The next check must not begin with a frame that is not shown.
          panel.answer('last');
          throw error;
        } finally {
          await up(panel);
        }
      }, press(button));
    }
    await bench.expectDecided(review);
  };
  /** Expects that keys do not count on an approve page that the panel does not show when the misuse begins. */
  const ignored = (buttons: readonly Button[], misuse: Misuse) => async (bench: ConformanceBench) => {
    const review = await open(bench);
    let isDecided = false;
    const note = () => {
      isDecided = true;
    };
    review.reply.then(note, note);
    for (const button of buttons) {
      await bench.follow(press('left'));
      await bench.misuse(async panel => {
        await panel.hold(undefined, PRESS_MS);
        panel.answers = false;
        await pressOn(panel, 'right');
        await misuse(panel, button);
      }, press('right'));
      if (isDecided) throw new Nonconformity('a press decided on a page that the display did not show');
    }
    await bench.decide(review, 'approve');
  };
  return {
    name: 'panel',
    applies: ({ controls }) => controls.panel !== undefined,
    checks: [
      {
        name: 'no press decides on a page that the display does not show',
        run: ignored(['both'], async (panel, button) => {
          for (let turn = 0; turn < 2; turn++) {
            await panel.hold(undefined, WAITED_MS);
            await pressOn(panel, button);
          }
          await panel.hold(undefined, WAITED_MS);
          panel.answers = true;
          await pressOn(panel, button);
        }),
      },
      {
        name: 'a bouncing key counts as one press',
        run: again(async bench => {
          let inTime = true;
          const bounce = async (panel: Panel, keys: Keys) => {
            inTime = (await panel.bounce(keys)) && inTime;
          };
          try {
            await counted(bounce, panel => bounce(panel, undefined))(bench);
          } catch (error) {
            if (inTime) throw error;
            return false;
          }
          return true;
        }),
      },
      {
        name: 'a key that is held for a long time counts as one press',
        run: counted(
          async (panel, button) => {
            await panel.hold(undefined, PRESS_MS);
            // No frame needs an answer here. Without answers, the clock measures the time, which saves a minute
            // on a busy machine.
            panel.answers = false;
            await panel.hold(button, LONG_MS);
            panel.answers = true;
          },
          panel => panel.hold(undefined, PRESS_MS),
        ),
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
          const review = await open(bench);
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
        run: again(
          ignored(PRESSES, async (panel, button) => {
            await panel.hold(button, milliseconds);
            panel.answer('last');
            panel.answers = true;
            await pressOn(panel, button);
          }),
        ),
      })),
      {
        name: 'an acknowledgement of the previous page does not count for this page',
        run: again(
          ignored(['both'], async (panel, button) => {
            panel.answer('before');
            await panel.hold(undefined, WAITED_MS);
            panel.answers = true;
            await pressOn(panel, button);
          }),
        ),
      },
    ],
  };
}
