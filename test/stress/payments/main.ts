// Makes random payments through a gateway with faults, and checks that the library's reports match the chain.
import { parseArgs } from 'node:util';
import { runSchedules } from './run.js';

const { values } = parseArgs({
  options: { schedules: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } },
});

const startMs = performance.now();
const { schedules, reports, faults } = await runSchedules(Number(values.schedules), Number(values.seed));
const seconds = (performance.now() - startMs) / 1000;
const tally = new Map<string, number>();
for (const { outcome, code } of reports) {
  const what = code === undefined ? outcome : `${outcome}: ${code}`;
  tally.set(what, (tally.get(what) ?? 0) + 1);
}
console.log(`payments: ${schedules} schedules, ${reports.length} payments in ${seconds.toFixed(1)} s`);
for (const [what, count] of [...tally].sort()) console.log(`  ${what}: ${count}`);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
}
