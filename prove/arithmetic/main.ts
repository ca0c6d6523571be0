// Proves the arithmetic of the module that ships, for all inputs, and then that planted faults are refuted.
import { readModule } from '../wasm/module.js';
import { plantedFaults } from './faults.js';
import { proveArithmetic } from './proof.js';

const module = readModule();
const { rangeChecks, peaks, calls, paths } = proveArithmetic(module);
console.log(
  `field, scalar and point functions proved for all inputs: ${rangeChecks} range checks, largest i32 of ` +
    `${peaks.i32} bits and i64 of ${peaks.i64}; ${calls} calls within bounds, ${paths} paths of sign`,
);

let refuted = 0;
const survived: string[] = [];
for (const { name, stage, module: faulty } of plantedFaults(module)) {
  try {
    proveArithmetic(faulty, stage);
    survived.push(name);
  } catch {
    refuted++;
  }
}
console.log(`${refuted} planted faults refuted, ${survived.length} survived`);
for (const name of survived) console.error(`survived: ${name}`);
if (survived.length > 0 || refuted < 20) process.exitCode = 1;
