// theorem: proves the premises of docs/THEOREM.md. theorem --control MODULE…: modules with a planted fault,
// each of which must break a premise.
import { controlModules, refutationOf, UnprovenClaim } from '../control.js';
import { NAMED_MODULE, readModule } from '../wasm/module.js';
import { openOf, proveParts, proveUniqueParse, shapesOf } from './grammar.js';
import { proveCells, proveTitles } from './pixels.js';
import { listedParts, proveCited, readTexts } from './premises.js';

/** Proves the grammar, with the parts that the default screens leave open; docs/THEOREM.md lists them. */
function proveGrammar(): void {
  proveParts();
  const [shown, hidden] = [shapesOf(true), shapesOf(false)];
  for (const shapes of [shown, hidden]) proveUniqueParse(shapes);
  const missing = openOf(shown);
  if (missing.length > 0)
    throw new UnprovenClaim(`with details, the screens leave ${missing.join(', ')} open`);
  const open = openOf(hidden);
  const texts = readTexts();
  const listed = listedParts(texts);
  if (listed.join() !== open.join())
    throw new UnprovenClaim(`docs/THEOREM.md lists ${listed.join()}, not ${open.join()}`);
  console.log(
    `${shown.length} kinds of reviews in each setting, no two with the same items; with details, the items determine all parts,`,
  );
  console.log(
    `without details, ${open.length} parts are open, which docs/THEOREM.md lists; it cites ${proveCited(texts)} proofs`,
  );
}

function provePixels(path: string): string {
  const module = readModule(path);
  return `${proveCells(module)} cells and ${proveTitles(module, shapesOf(true))} titles differ in their pixels`;
}

const [first, ...paths] = process.argv.slice(2);
if (first === '--control') await controlModules(paths, path => refutationOf(() => provePixels(path)));
else {
  proveGrammar();
  console.log(provePixels(NAMED_MODULE));
}
