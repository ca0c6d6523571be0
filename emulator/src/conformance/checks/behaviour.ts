import { GET_APP_VERSION, getPublicKey } from '../../commands.js';
import type { CheckGroup, ConformanceBench } from '../bench.js';
import { NotTested } from '../bench.js';
import type { Cases } from '../cases.js';
import {
  changeSettings,
  HOME,
  press,
  right,
  TO_CONTACTS_ONLY,
  TO_DETAILS,
  TO_UNKNOWN_CHAINS,
} from './settings.js';

const SETTINGS = [TO_UNKNOWN_CHAINS, TO_DETAILS, TO_CONTACTS_ONLY];

/** Cuts the power, or throws NotTested. */
export async function cutPower(bench: ConformanceBench): Promise<void> {
  if (!(await bench.cutPower())) throw new NotTested("the signer's power cannot be cut");
}

/** The commands of one case of each kind. */
interface Samples {
  transaction: readonly Uint8Array[];
  otherChain: readonly Uint8Array[];
  message: readonly Uint8Array[];
  refused: readonly Uint8Array[];
}

/** Checks of buttons, menu and settings, of hosts that interfere or disconnect, and of power cuts. */
export function behaviourChecks({ transactions, messages, refusals }: Cases): CheckGroup[] {
  const samples: Samples = {
    transaction: transactions[0]!.commands,
    otherChain: transactions.find(({ name }) => name.includes('other chain'))!.commands,
    message: messages[0]!.commands,
    refused: refusals[0]!.commands,
  };
  return [buttonChecks, busyChecks, hostChecks, cancelChecks, settingChecks, powerChecks].map(checks =>
    checks(samples),
  );
}

function buttonChecks({ transaction }: Samples): CheckGroup {
  return {
    name: 'buttons',
    checks: [
      {
        name: 'the menu, there and back',
        run: bench => bench.follow(press('right', 'right', 'right', 'left', 'left', 'left', 'left', 'both')),
      },
      {
        name: 'the settings, there and back',
        run: bench =>
          bench.follow(press('right', 'both', ...right(4), 'left', 'left', 'left', 'left', ...HOME)),
      },
      {
        name: 'a review, with presses beyond both ends, and both buttons on an item',
        run: async bench => {
          const review = await bench.open(transaction);
          await bench.follow(press('left', 'right', 'both', 'left', 'left'));
          await bench.follow(press(...Array.from({ length: 12 }, () => 'right' as const)));
          await bench.follow(press('left', 'left', 'left'));
          await bench.decide(review, 'reject');
        },
      },
    ],
  };
}

function busyChecks({ transaction, message }: Samples): CheckGroup {
  return {
    name: 'busy',
    checks: [
      ['asking for the version', GET_APP_VERSION],
      ['asking for a key', getPublicKey(0)],
      ['another upload', transaction[0]!],
      ['a chunk', message.at(-1)!],
    ].map(([name, command]) => ({
      name: `${name as string} during a review, which continues`,
      run: async bench => {
        const review = await bench.open(message);
        await bench.follow(press('right'));
        await bench.expectBusy(command as Uint8Array);
        await bench.look();
        await bench.decide(review, 'approve');
      },
    })),
  };
}

function hostChecks({ transaction, message }: Samples): CheckGroup {
  const [header, chunk, ...rest] = transaction;
  return {
    name: 'hosts',
    checks: [
      ...[
        ['asks for the version', GET_APP_VERSION] as const,
        ['asks for a key', getPublicKey(7)] as const,
        ['sends a chunk', chunk!] as const,
      ].map(([name, command]) => ({
        name: `another host ${name} during an upload, which continues`,
        run: async (bench: ConformanceBench) => {
          await bench.sendAnswered([header!]);
          await bench.sendElsewhere(command);
          await bench.decide(await bench.open([chunk!, ...rest]), 'approve');
        },
      })),
      {
        name: 'the upload of another host takes over',
        run: async bench => {
          await bench.sendAnswered([message[0]!]);
          await bench.sendElsewhere(header!);
          await bench.sendAnswered([message[1]!]);
          await bench.decide(await bench.open(transaction), 'reject');
        },
      },
    ],
  };
}

function cancelChecks({ transaction, message }: Samples): CheckGroup {
  return {
    name: 'cancel',
    checks: [
      {
        name: 'a host that disconnects ends its review',
        run: async bench => {
          const review = await bench.open(transaction);
          await bench.follow(press('right', 'right'));
          await bench.begin();
          await review.reply.catch(() => undefined);
          await bench.look();
          await bench.decide(await bench.open(message), 'approve');
        },
      },
      {
        name: 'a host that disconnects on the last page gets no signature',
        run: async bench => {
          const review = await bench.open(message);
          await bench.follow(reference => reference.review());
          await bench.begin();
          await review.reply.catch(() => undefined);
          await bench.follow(press('both', 'both'));
          await bench.sendAnswered([GET_APP_VERSION]);
        },
      },
    ],
  };
}

function settingChecks({ transaction, otherChain }: Samples): CheckGroup {
  return {
    name: 'settings',
    checks: [
      {
        name: 'refusing unknown chains, on and off',
        run: bench =>
          changeSettings(bench, async toggle => {
            await toggle(TO_UNKNOWN_CHAINS);
            await bench.sendAnswered([GET_APP_VERSION, otherChain[0]!]);
            await toggle(TO_UNKNOWN_CHAINS);
            await bench.decide(await bench.open(otherChain), 'reject');
          }),
      },
      {
        name: 'details, on and off',
        run: bench =>
          changeSettings(bench, async toggle => {
            await toggle(TO_DETAILS);
            await bench.decide(await bench.open(transaction), 'approve');
            await toggle(TO_DETAILS);
            await bench.decide(await bench.open(transaction), 'reject');
          }),
      },
    ],
  };
}

function powerChecks({ transaction, message, refused }: Samples): CheckGroup {
  return {
    name: 'power',
    checks: [
      {
        name: 'a power cut during an upload drops the upload',
        run: async bench => {
          await bench.sendAnswered(transaction.slice(0, 1));
          await cutPower(bench);
          await bench.sendAnswered(transaction.slice(1));
          await bench.look();
        },
      },
      {
        name: 'a power cut during a review ends the review',
        run: async bench => {
          const review = await bench.open(transaction);
          await bench.follow(press('right'));
          await cutPower(bench);
          await review.reply.catch(() => undefined);
          await bench.look();
          await bench.sendAnswered(refused);
          await bench.decide(await bench.open(message), 'approve');
        },
      },
      {
        name: 'a power cut keeps the settings',
        run: async bench => {
          // This cut comes first: if the power cannot be cut, the check ends before it changes a setting.
          await cutPower(bench);
          await changeSettings(bench, async toggle => {
            for (const way of [...SETTINGS, ...SETTINGS]) {
              await toggle(way);
              await cutPower(bench);
              await bench.look();
              await bench.sendAnswered([GET_APP_VERSION]);
              await bench.follow(press('right', 'both', ...right(2), ...HOME));
            }
          });
        },
      },
    ],
  };
}
