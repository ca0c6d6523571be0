// Prints the benchmarks named as arguments, or all of them.
import { cpus, loadavg } from 'node:os';
import type { TableRow } from './gateway/gateway-rows.js';
import {
  rowsOfCryptography,
  rowsOfEmulator,
  rowsOfGateway,
  rowsOfHarness,
  rowsOfModule,
  rowsOfTraces,
} from './rows.js';

/** A load above what the last build may have left behind. */
const LOADED = 1;

const PARTS: ReadonlyMap<string, () => Promise<TableRow[]>> = new Map([
  ['cryptography', rowsOfCryptography],
  ['harness', rowsOfHarness],
  ['traces', rowsOfTraces],
  ['emulator', rowsOfEmulator],
  ['gateway', rowsOfGateway],
  ['module', rowsOfModule],
]);

const names = process.argv.slice(2);
const unknown = names.find(name => !PARTS.has(name));
if (unknown !== undefined) {
  console.error(`unknown part "${unknown}"; there are ${[...PARTS.keys()].join(', ')}`);
  process.exit(2);
}

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, OpenSSL ${process.versions.openssl}`,
);
console.log(
  'Medians; a ratio below 1 means that ours takes less time than its peer in the same run, or does less of',
);
console.log('what is counted a second.\n');
const [load] = loadavg();
if (load! > LOADED)
  console.log(`The machine is loaded (${load!.toFixed(1)}): these figures are of a loaded one.\n`);
for (const [name, measure] of PARTS) {
  if (names.length > 0 && !names.includes(name)) continue;
  for (const [task, figure, rest] of await measure()) {
    console.log(`${task.padEnd(44)}${figure.padStart(11)}   ${rest}`.trimEnd());
  }
}
