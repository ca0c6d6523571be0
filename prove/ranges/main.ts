import { readModule } from '../wasm/module.js';
import { readBuffers } from './buffers.js';
import { Invariants } from './invariants.js';

const module = readModule();
const { buffers, shapeless, platform, orders, hashed } = readBuffers(module);
const invariants = new Invariants(module, buffers, shapeless, platform, orders, hashed);
const findings = invariants.run(console.log);
console.log(process.cpuUsage());
for (const [place, what] of findings.open) console.log('open', place, what);
for (const each of findings.checks) console.log('check', each);
for (const [place, passes] of findings.loops) if (passes > 5000) console.log('loop', place, passes);
if (process.env['INV']) for (const [a, b, r] of invariants.ranges()) console.log(a, b, JSON.stringify(r));
console.log(buffers.map(({ name, start, end }) => `${name} ${start}-${end}`).join(', '), orders);
