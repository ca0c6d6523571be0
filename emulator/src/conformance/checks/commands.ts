import type { Check, CheckGroup, ConformanceBench } from '../bench.js';
import type { Cases, CommandCase } from '../cases.js';
import { changeSettings, TO_CONTACTS_ONLY, TO_DETAILS, TO_UNKNOWN_CHAINS } from './settings.js';

const WAYS = { unknownChains: TO_UNKNOWN_CHAINS, details: TO_DETAILS, contactsOnly: TO_CONTACTS_ONLY };

/**
 * Checks of contacts and of signatures with a commitment: the commands of each golden case, in the settings of the
 * case.
 */
export function commandChecks({ contacts, antiExfil }: Cases): CheckGroup[] {
  return [
    { name: 'contacts', checks: contacts.map(checkOf) },
    { name: 'anti-exfil', checks: antiExfil.map(checkOf) },
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
