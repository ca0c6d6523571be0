import { readModule } from '../wasm/module.js';
import { Parser } from './parser.js';
import { Solver } from './solver.js';

const solver = new Solver();
const parser = new Parser(readModule(process.argv[2]), solver);
console.log(parser.proveTransaction(), solver.queries);
console.log(parser.proveLinked(), solver.queries);
solver.close();
