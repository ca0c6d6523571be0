// Checks the theorem's premises: each is a proof that `make prove` runs and that docs/THEOREM.md cites.
import { anchors } from '../../testkit/repository/documents.js';
import { readText } from '../../testkit/repository/repository.js';
import { UnprovenClaim } from '../control.js';
import { FORMS } from './grammar.js';

/** The cited proofs, with their sections in docs/SOUNDNESS.md. */
const PREMISES: Readonly<Record<string, string>> = {
  symbolic: 'parser-and-paginator',
  described: 'what-is-described',
  amounts: 'amounts',
  pages: 'pages',
  hashes: 'hash-functions',
  signed: 'what-is-signed',
  'read-back': 'reading-back',
};

export interface Texts {
  page: string;
  soundness: string;
  rules: string;
}

export const readTexts = (): Texts => ({
  page: readText('docs/THEOREM.md'),
  soundness: readText('docs/SOUNDNESS.md'),
  rules: readText('prove/prove.mk'),
});

/** Checks that each proof, including those of forms, is run, has a section and a claim, and is cited. */
export function proveCited({ page, soundness, rules }: Texts): number {
  const short = /^SHORT := ((?:.*\\\n)*.*)$/m.exec(rules)![1]!.split(/[\s\\]+/);
  for (const [name, anchor] of Object.entries(PREMISES)) {
    const require = (holds: boolean, what: string): void => {
      if (!holds) throw new UnprovenClaim(`${name} ${what}`);
    };
    require(new RegExp(`^${name}:.*##`, 'm').test(rules) &&
      short.includes(name), 'is not a proof that make prove runs');
    require(anchors('docs/SOUNDNESS.md').has(anchor), 'has no section in docs/SOUNDNESS.md');
    require(soundness.includes(`| \`make prove ONLY=${name}\` |`), 'has no claim in docs/SOUNDNESS.md');
    require(page.includes(`[\`${name}\`](SOUNDNESS.md#${anchor})`), 'is not cited in docs/THEOREM.md');
  }
  for (const [form, names] of Object.entries(FORMS))
    for (const name of names ?? [])
      if (!(name in PREMISES)) throw new UnprovenClaim(`the proof ${name} of ${form} is not a premise`);
  return Object.keys(PREMISES).length;
}

/** Returns the parts in the first column of the page's table: those that the default screens leave open. */
export function listedParts({ page }: Texts): string[] {
  const rows = page.split('\n').filter(line => line.startsWith('| `'));
  return rows.flatMap(row => [...row.split('|')[1]!.matchAll(/`([\w.]+)`/g)].map(([, part]) => part!)).sort();
}
