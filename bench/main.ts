// Prints the benchmarks named as arguments, or all of them.
import { cpus, loadavg } from 'node:os';
import type { TableRow } from './gateway/gateway-rows.js';
import { rowsOfCryptography, rowsOfEmulator, rowsOfGateway, rowsOfHarness, rowsOfModule } from './rows.js';

/** Load average above which other programs are running; the end of a build causes less. */
const LOADED = 1;

const PARTS: ReadonlyMap<string, () => Promise<TableRow[]>> = new Map([
  ['cryptography', rowsOfCryptography],
  ['harness', rowsOfHarness],
  ['emulator', rowsOfEmulator],
  ['gateway', rowsOfGateway],
  ['module', rowsOfModule],
]);

const names = process.argv.slice(2);
const unknown = names.find(name => !PARTS.has(name));
if (unknown !== undefined) {
  console.error(`unknown part "${unknown}": expected ${[...PARTS.keys()].join(', ')}`);
  process.exit(2);
}

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, OpenSSL ${process.versions.openssl}`,
);
console.log(
  'Medians. A ratio below 1 means less time, or a smaller rate, than that of the peer in the same run.\n',
);
const [load] = loadavg();
if (load! > LOADED)
  console.log(`The load average is ${load!.toFixed(1)}: other programs affect these figures.\n`);
for (const [name, measure] of PARTS) {
  if (names.length > 0 && !names.includes(name)) continue;
  for (const [task, figure, rest] of await measure()) {
    console.log(`${task.padEnd(44)}${figure.padStart(11)}   ${rest}`.trimEnd());
  }
}
