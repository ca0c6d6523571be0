import { GET_APP_VERSION, getPublicKey } from '../../commands.js';
import { EmulatorError } from '../../errors.js';
import type { Emulator } from '../../harness/emulator.js';
import { unlockSeed } from '../../review/seed-entry.js';
import { type CheckGroup, type ConformanceBench, Nonconformity, NotTested, PIN } from '../bench.js';

const WRONG_PIN = '271828';
const MAX_ATTEMPTS = 10;
/** Numbers of wrong PINs after which the power is cut. */
const CUTS = [1, 2, 5, 9];

const unlock = (reference: Emulator) => unlockSeed(reference, PIN);

/** Enters a wrong PIN. Stops at the page with the number of remaining attempts. */
function enterWrongPin(reference: Emulator): void {
  if (reference.texts()[0] === 'Wrong PIN') reference.press('both');
  try {
    unlockSeed(reference, WRONG_PIN);
  } catch (error) {
    if (!(error instanceof EmulatorError && error.code === 'WRONG_PAGE')) throw error;
  }
}

async function lock(bench: ConformanceBench): Promise<void> {
  if (!(await bench.lock())) throw new NotTested("the signer's power cannot be cut");
  await bench.look();
}

/** Checks of a signer that keeps its seed under a PIN. The last check erases the seed. */
export const vaultChecks: CheckGroup = {
  name: 'vault',
  applies: (_, bench) => bench?.hasVault === true,
  checks: [
    {
      name: 'the digits are shuffled again for each digit of each PIN',
      run: async bench => {
        // A new PIN and its repetition have twelve orders.
        if (bench.pinOrders.size < 10) throw new Nonconformity('the digits are often in the same order');
      },
    },
    {
      name: 'wrong PINs are counted across power cuts, until the right PIN is entered',
      run: async bench => {
        for (let tries = 0; tries < 3; tries++) {
          await lock(bench);
          await bench.follow(enterWrongPin);
        }
        await lock(bench);
        await bench.sendAnswered([GET_APP_VERSION, getPublicKey(0)]);
        await bench.follow(unlock);
        await bench.sendAnswered([GET_APP_VERSION, getPublicKey(0)]);
        await lock(bench);
        await bench.follow(enterWrongPin);
        await lock(bench);
        await bench.follow(unlock);
      },
    },
    {
      name: 'a power cut while a seed is stored leaves the whole seed or none',
      run: async bench => {
        await bench.cutWhileStoring();
        await bench.sendAnswered([GET_APP_VERSION, getPublicKey(0)]);
      },
    },
    {
      name: 'the tenth wrong PIN erases the seed',
      run: async bench => {
        await lock(bench);
        for (let tries = 1; tries <= MAX_ATTEMPTS; tries++) {
          await bench.follow(enterWrongPin);
          if (CUTS.includes(tries)) await lock(bench);
        }
        await lock(bench);
        await bench.sendAnswered([GET_APP_VERSION, getPublicKey(0)]);
      },
    },
  ],
};
