import { cpus } from 'node:os';
import { root } from '../testkit/repository.js';
import { compileAssembly } from '../tools/compile-assembly.js';
import { measureCrypto, type Row } from './crypto.js';
import { measureGateway } from './gateway.js';
import { rowsOfGateway, rowsOfSharedLimit } from './gateway-rows.js';
import { measureHarness } from './harness.js';
import { NGINX } from './nginx.js';
import { measureProcesses } from './process.js';
import { whyNotMeasured } from './processors.js';
import { measureRestSigning } from './rest-signing.js';
import { measureSessions } from './session.js';
import { measureSharedLimit } from './shared-limit.js';
import { measureSlowNode } from './slow-node.js';
import { measureTrace, type Times } from './trace.js';
import { measureWholeTests } from './zemu.js';

function describe({ task, ours, peers }: Row): string {
  const comparisons = [...peers].map(([peer, { ratio, microseconds }]) =>
    `${ratio.toFixed(2)} × ${peer} (${microseconds.toFixed(2)} µs)`.padEnd(34),
  );
  return line(task, `${ours.microseconds.toFixed(2)} µs`, comparisons.join('').trimEnd());
}

const line = (task: string, figure: string, rest = '') =>
  `${task.padEnd(44)}${figure.padStart(11)}   ${rest}`;
const ms = (value: number) => `${value.toFixed(0)} ms`;

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, OpenSSL ${process.versions.openssl}`,
);
console.log(
  'Medians; a ratio below 1 means that ours takes less time than its peer in the same run, or does less of',
);
console.log('what is counted a second.\n');
for (const row of measureCrypto()) console.log(describe(row));

const { sessionsPerSecond, pages } = await measureSessions();
console.log(
  line('SIGN_TX sessions in process', `${sessionsPerSecond.toFixed(0)} /s`, `${pages} pages drawn in each`),
);

const harness = await measureHarness();
console.log(
  line(
    'harness: start, review, compare, approve',
    `${harness.medianMs.toFixed(1)} ms`,
    `slowest of 200: ${harness.slowestMs.toFixed(1)} ms`,
  ),
);
console.log(
  line(
    '1,000 emulators signing at once',
    ms(harness.allSignedMs),
    `${harness.kilobytesPerEmulator.toFixed(0)} KB of memory each`,
  ),
);

const trace = await measureTrace();
const spread = ({ medianMs, p99Ms, slowestMs }: Times) =>
  `${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, slowest ${slowestMs.toFixed(1)} ms`;
console.log(
  line(
    `trace of ${trace.steps} steps, ${trace.megabytes.toFixed(1)} MB: read`,
    ms(trace.parseMs),
    `replayed once: ${ms(trace.replayMs)}`,
  ),
);
console.log(line('  a live device of any step of it', '', spread(trace.fork)));
console.log(
  line(
    '  any step on the page in Chromium',
    '',
    trace.page ? spread(trace.page) : 'not measured: no Chromium',
  ),
);

const processes = await measureProcesses();
const { nodeMs, versionMs, helpMs, emulatorReadyMs } = processes;
const against = (value: number) => `${(value / nodeMs).toFixed(2)} × node -e 0 (${ms(nodeMs)})`;
console.log(line('emulator process, start to ready', ms(emulatorReadyMs), against(emulatorReadyMs)));
console.log(
  line(
    '  its limit, 1.5 × node + 100 ms',
    ms(1.5 * nodeMs + 100),
    emulatorReadyMs > 1.5 * nodeMs + 100 ? 'missed' : 'met',
  ),
);
const { firstInProcessMs, nextInProcessMs } = processes;
console.log(
  line(
    'emulator in process, the first after import',
    `${firstInProcessMs.toFixed(1)} ms`,
    `the next: ${nextInProcessMs.toFixed(1)} ms`,
  ),
);
console.log(line('zbc-signer --version', ms(versionMs), against(versionMs)));
console.log(line('zbc-signer --help', ms(helpMs), against(helpMs)));

const rest = await measureRestSigning();
console.log(
  line(
    `signing over REST, ${rest.pages} pages`,
    `${rest.medianMs.toFixed(1)} ms`,
    `${rest.requests} requests, one after another`,
  ),
);
const { zemuMs, zemuSleepMs, harnessMs } = await measureWholeTests();
console.log(line('a whole Zemu test, 7 pages', ms(zemuMs), `of which Zemu sleeps ${ms(zemuSleepMs)}`));
console.log(line('the same on our harness', `${harnessMs.toFixed(1)} ms`));

const noGateway = whyNotMeasured([NGINX, 'wrk']);
if (noGateway === undefined)
  for (const row of rowsOfGateway(await measureGateway())) console.log(line(...row));
else console.log(line('gateway beside nginx', noGateway));
const noWrk = whyNotMeasured(['wrk']);
if (noWrk === undefined) {
  const { healthyP99Ms, slowP99Ms, ratio } = await measureSlowNode();
  const rest = `${ratio.toFixed(2)} × two prompt nodes (${healthyP99Ms.toFixed(1)} ms)`;
  console.log(line('p99 of a gateway with one slow node of two', `${slowP99Ms.toFixed(1)} ms`, rest));
} else {
  console.log(line('gateway with one slow node', noWrk));
}
const noRedis = whyNotMeasured(['wrk', 'redis-server']);
if (noRedis === undefined)
  for (const row of rowsOfSharedLimit(await measureSharedLimit())) console.log(line(...row));
else console.log(line('two gateways, one Redis', noRedis));

const { wasm, staticSize } = await compileAssembly(root, 'release');
console.log(line('firmware module', `${wasm.length} B`));
console.log(line('firmware static memory', `${staticSize} B`));
