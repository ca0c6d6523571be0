// theorem: proves the premises of docs/THEOREM.md, and compares pairs of inputs in the shipped module.
// theorem --control MODULE…: modules with a planted fault, each of which must break the theorem.
import { controlModules, refutationOf, UnprovenClaim } from '../control.js';
import { NAMED_MODULE, readModule } from '../wasm/module.js';
import { openOf, proveParts, proveUniqueParse, shapesOf } from './grammar.js';
import { proveKinds } from './kinds.js';
import { openSettings, proveAlike, provePool } from './pairs.js';
import { proveCells, proveTitles } from './pixels.js';
import { listedParts, proveCited, readTexts } from './premises.js';

const RANDOM = Number(process.env.RANDOM_TRANSACTIONS ?? 400);
const OF_CONTROL = 60;

type Report = (line: string) => void;

/**
 * Proves the grammar, and returns the parts that the default screens leave open; docs/THEOREM.md lists them.
 */
function proveGrammar(report: Report): string[] {
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
  report(
    `${shown.length} kinds of reviews in each setting, no two with the same items; with details, the items determine all parts,`,
  );
  report(
    `without details, ${open.length} parts are open, which docs/THEOREM.md lists; it cites ${proveCited(texts)} proofs`,
  );
  return open;
}

function prove(path: string, open: readonly string[], random: number, report: Report): void {
  const module = readModule(path);
  report(
    `${proveCells(module)} cells and ${proveTitles(module, shapesOf(true))} titles differ in their pixels`,
  );
  report(`${proveKinds(path)} accounts of all kinds are shown right`);
  const settings = openSettings(open, path);
  report(
    `${proveAlike(settings, open)} pairs with the same frames, for each open part; with details, their frames differ`,
  );
  report(provePool(settings, random));
}

const [first, ...paths] = process.argv.slice(2);
if (first === '--control') {
  const open = proveGrammar(() => undefined);
  await controlModules(paths, path => refutationOf(() => prove(path, open, OF_CONTROL, () => undefined)));
} else prove(NAMED_MODULE, proveGrammar(console.log), RANDOM, console.log);
