import type { CheckGroup, ConformanceBench } from '../bench.js';
import type { Cases, ContactCase } from '../cases.js';
import { changeSettings, TO_CONTACTS_ONLY, TO_DETAILS, TO_UNKNOWN_CHAINS } from './settings.js';

const WAYS = { unknownChains: TO_UNKNOWN_CHAINS, details: TO_DETAILS, contactsOnly: TO_CONTACTS_ONLY };

/** Checks of contacts: registered, rejected, refused and used, in the settings of each golden case. */
export function contactChecks({ contacts }: Cases): CheckGroup {
  return {
    name: 'contacts',
    checks: contacts.map(each => ({ name: each.name, run: bench => run(bench, each) })),
  };
}

async function run(bench: ConformanceBench, { settings, steps }: ContactCase): Promise<void> {
  await changeSettings(bench, async toggle => {
    for (const setting of settings) await toggle(WAYS[setting]);
    for (const { command, decide } of steps) {
      if (decide === undefined) await bench.sendAnswered([command]);
      else await bench.decide(await bench.open([command]), decide);
    }
    for (const setting of settings) await toggle(WAYS[setting]);
  });
}
