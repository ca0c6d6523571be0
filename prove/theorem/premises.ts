// The theorem's premises: each is a proof that `make prove` runs, and docs/THEOREM.md cites it.
import { anchors } from '../../testkit/repository/documents.js';
import { readText } from '../../testkit/repository/repository.js';
import { NotShown } from '../control.js';
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

/** Each proof, including those of forms, is run, has its section and its claim, and is cited. */
export function proveCited({ page, soundness, rules }: Texts): number {
  const short = /^SHORT := ((?:.*\\\n)*.*)$/m.exec(rules)![1]!.split(/[\s\\]+/);
  for (const [name, anchor] of Object.entries(PREMISES)) {
    const require = (holds: boolean, what: string): void => {
      if (!holds) throw new NotShown(`${name} ${what}`);
    };
    require(new RegExp(`^${name}:.*##`, 'm').test(rules) && short.includes(name), 'is no proof that is run');
    require(anchors('docs/SOUNDNESS.md').has(anchor), 'has no section');
    require(soundness.includes(`| \`make prove ONLY=${name}\` |`), 'has no claim');
    require(page.includes(`[\`${name}\`](SOUNDNESS.md#${anchor})`), 'is not cited');
  }
  for (const [form, name] of Object.entries(FORMS))
    if (name !== undefined && !(name in PREMISES)) throw new NotShown(`the proof of ${form} is no premise`);
  return Object.keys(PREMISES).length;
}

/** The parts in the first column of the page's table: those that the default screens leave open. */
export function listedParts({ page }: Texts): string[] {
  const rows = page.split('\n').filter(line => line.startsWith('| `'));
  return rows.flatMap(row => [...row.split('|')[1]!.matchAll(/`([\w.]+)`/g)].map(([, part]) => part!)).sort();
}
