import { GET_APP_VERSION, getPublicKey } from '../../commands.js';
import type { Check, CheckGroup, ConformanceBench } from '../bench.js';
import type { Cases, CommandCase } from '../cases.js';
import { cutPower } from './behaviour.js';
import { changeSettings, HOME, press, TO_CONTACTS_ONLY, TO_DETAILS, TO_UNKNOWN_CHAINS } from './settings.js';

const WAYS = { unknownChains: TO_UNKNOWN_CHAINS, details: TO_DETAILS, contactsOnly: TO_CONTACTS_ONLY };

/**
 * Checks of contacts and of signatures with a commitment: the commands of each golden case, in the settings of the
 * case.
 */
export function commandChecks({ contacts, antiExfil }: Cases): CheckGroup[] {
  return [
    { name: 'contacts', checks: contacts.map(checkOf) },
    { name: 'anti-exfil', checks: [...antiExfil.map(checkOf), ...revealChecks(antiExfil[0]!)] },
  ];
}

const checkOf = (each: CommandCase): Check => ({ name: each.name, run: bench => run(bench, each) });

async function run(bench: ConformanceBench, { settings, steps }: CommandCase): Promise<void> {
  await changeSettings(bench, async toggle => {
    for (const setting of settings) await toggle(WAYS[setting]);
    for (const { command, decide } of steps) {
      if (decide === undefined) await bench.sendAnswered([command]);
      else await bench.decide(await bench.open([command]), decide);
    }
    for (const setting of settings) await toggle(WAYS[setting]);
  });
}

/**
 * What may happen between the approval of a case and its REVEAL: the state `reveal` in docs/SPECIFICATION.md#states. The steps
 * of the case are a header, a chunk and REVEAL.
 */
function revealChecks({ steps }: CommandCase): Check[] {
  const [header, chunk, reveal] = steps.map(({ command }) => command) as [Uint8Array, Uint8Array, Uint8Array];
  const events: [name: string, event: (bench: ConformanceBench) => Promise<void>][] = [
    ['another host asks for the version', bench => bench.sendElsewhere(GET_APP_VERSION)],
    ['another host asks for a key', bench => bench.sendElsewhere(getPublicKey(7))],
    ['another host sends a chunk', bench => bench.sendElsewhere(chunk)],
    ['another host sends REVEAL', bench => bench.sendElsewhere(reveal)],
    ['another host sends a header', bench => bench.sendElsewhere(header)],
    ['the host asks for the version', bench => bench.sendAnswered([GET_APP_VERSION])],
    ['the host disconnects', bench => bench.begin()],
    ['the power is cut', cutPower],
    ['buttons are pressed', bench => bench.follow(press('right', 'both', ...HOME))],
  ];
  const revealAfter = async (bench: ConformanceBench, event: (bench: ConformanceBench) => Promise<void>) => {
    await bench.sendAnswered([header]);
    await bench.decide(await bench.open([chunk]), 'approve');
    await event(bench);
    await bench.sendAnswered([reveal]);
  };
  return [
    ...events.map(([name, event]) => ({
      name: `${name} before REVEAL`,
      run: (bench: ConformanceBench) => revealAfter(bench, event),
    })),
    {
      name: 'a setting is changed before REVEAL',
      run: bench =>
        changeSettings(bench, toggle =>
          revealAfter(bench, async () => {
            await toggle(TO_DETAILS);
            await toggle(TO_DETAILS);
            await toggle(TO_DETAILS);
          }),
        ),
    },
  ];
}
