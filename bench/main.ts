import { cpus } from 'node:os';
import { measureCrypto, type Row } from './crypto.js';

function describe({ task, ours, peers }: Row): string {
  const comparisons = [...peers].map(([peer, { ratio, microseconds }]) =>
    `${ratio.toFixed(2)} × ${peer} (${microseconds.toFixed(2)} µs)`.padEnd(34),
  );
  return `${task.padEnd(44)}${ours.microseconds.toFixed(2).padStart(8)} µs   ${comparisons.join('')}`.trimEnd();
}

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, OpenSSL ${process.versions.openssl}`,
);
console.log("Medians; a ratio below 1 means that the firmware's code takes less time than its peer.\n");
for (const row of measureCrypto()) console.log(describe(row));
