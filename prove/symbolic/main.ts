// symbolic: proves the parser and the paginator of the shipped module, on all bytes and lengths. symbolic
// --control MODULE…: refutes modules with a planted fault.
import { basename, dirname } from 'node:path';
import { controlModules, refutationOf } from '../control.js';
import { NAMED_MODULE, readModule } from '../wasm/module.js';
import { proveMoves } from './moves.js';
import { provePaginator } from './paginator.js';
import { Parser, type ParserTally } from './parser.js';
import { withSolver } from './solver.js';

const write = ({ paths, accepted, accesses }: ParserTally) =>
  `${paths} paths, ${accepted} of them accepted; ${accesses} accesses within their buffers`;

type Report = (line: string) => void;

/** Faults in lines and pages; the others are in the parser. */
const PAGINATOR_FAULTS = ['cut-value', 'skipped-page'];

function provePages(wasm: string, report: Report): void {
  withSolver(solver => {
    const { paths, accesses } = provePaginator(readModule(wasm), solver);
    report(`lines of a value: ${paths} paths; ${accesses} accesses within the value`);
    report(
      `presses in a review: ${proveMoves(readModule(wasm), solver)} paths, each of which leads to the next page, or to the previous one if there is one`,
    );
  });
}

function proveParser(wasm: string, report: Report): void {
  withSolver(solver => {
    const parser = new Parser(readModule(wasm), solver);
    report(`transaction: ${write(parser.proveTransaction())}`);
    report(`linked transaction: ${write(parser.proveLinked())}`);
    report(
      `the fields of each accepted transaction encode to the accepted bytes; ${solver.queries} queries to z3`,
    );
  });
}

/** Proves the part of a module that contains the fault. */
function refute(wasm: string): string | undefined {
  const prove = PAGINATOR_FAULTS.includes(basename(dirname(wasm))) ? provePages : proveParser;
  return refutationOf(() => prove(wasm, () => undefined));
}

const [first, ...modules] = process.argv.slice(2);
if (first === '--control') await controlModules(modules, refute);
else for (const prove of [provePages, proveParser]) prove(NAMED_MODULE, line => console.log(line));
