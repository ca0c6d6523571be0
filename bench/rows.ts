// Makes the rows of the table that `make bench` prints.
import { root } from '../testkit/repository/repository.js';
import { compileAssembly } from '../tools/build/compile-assembly.js';
import { measureCrypto, type Row } from './crypto.js';
import { measureGateway } from './gateway/gateway.js';
import { rowsOfComparisons, type TableRow } from './gateway/gateway-rows.js';
import { NGINX } from './gateway/nginx.js';
import { whyNotMeasured } from './gateway/processors.js';
import { measureSlowNode } from './gateway/slow-node.js';
import { measureHarness } from './harness.js';
import { measureProcesses } from './process.js';
import { measureRestSigning } from './rest-signing.js';
import { measureSessions } from './session.js';
import { measureWholeTests } from './zemu.js';

const FIRST_IN_PROCESS_MS = 5;

const ms = (value: number) => `${value.toFixed(0)} ms`;
const tenths = (value: number) => `${value.toFixed(1)} ms`;
const within = (value: number, limit: number) => `limit ${ms(limit)}: ${value > limit ? 'missed' : 'met'}`;

export async function rowsOfCryptography(): Promise<TableRow[]> {
  return measureCrypto().map(rowOfTask);
}

function rowOfTask({ task, ours, peers }: Row): TableRow {
  const comparisons = [...peers].map(([peer, { ratio, microseconds }]) =>
    `${ratio.toFixed(2)} × ${peer} (${microseconds.toFixed(2)} µs)`.padEnd(34),
  );
  return [task, `${ours.microseconds.toFixed(2)} µs`, comparisons.join('').trimEnd()];
}

export async function rowsOfHarness(): Promise<TableRow[]> {
  const { sessionsPerSecond, pages } = await measureSessions();
  const { medianMs, slowestMs, allSignedMs, kilobytesPerEmulator } = await measureHarness();
  return [
    ['SIGN_TX sessions in process', `${sessionsPerSecond.toFixed(0)} /s`, `${pages} pages drawn in each`],
    ['harness: start, review, compare, approve', tenths(medianMs), `slowest of 200: ${tenths(slowestMs)}`],
    [
      '1,000 emulators signing at once',
      ms(allSignedMs),
      `${kilobytesPerEmulator.toFixed(0)} KB of memory each`,
    ],
  ];
}

/** Rows for users of Speculos: a signature, a whole test, and the start of the emulator. */
export async function rowsOfEmulator(): Promise<TableRow[]> {
  const { medianMs, pages, requests } = await measureRestSigning();
  const { zemuMs, zemuSleepMs, harnessMs } = await measureWholeTests();
  const { emulatorMs, emulatorRatio, ...processes } = await measureProcesses();
  const { nodeMs, versionMs, helpMs, firstInProcessMs, nextInProcessMs, firstProcessorMs } = processes;
  const against = (value: number) => `${(value / nodeMs).toFixed(2)} × node -e 0 (${ms(nodeMs)})`;
  const first = `${within(firstInProcessMs, FIRST_IN_PROCESS_MS)}; ${tenths(firstProcessorMs)} of processor time`;
  return [
    [`signing over REST, ${pages} pages`, tenths(medianMs), `${requests} requests, one after another`],
    ['a whole Zemu test, 7 pages', ms(zemuMs), `of which Zemu sleeps ${ms(zemuSleepMs)}`],
    ['the same on our harness', tenths(harnessMs), ''],
    ['emulator process, processor time', ms(emulatorMs), `${emulatorRatio.toFixed(2)} × node -e 0`],
    ['emulator in process, the first after import', tenths(firstInProcessMs), first],
    ['  each later one', tenths(nextInProcessMs), ''],
    ['zbc-signer --version', ms(versionMs), against(versionMs)],
    ['zbc-signer --help', ms(helpMs), against(helpMs)],
  ];
}

export async function rowsOfGateway(): Promise<TableRow[]> {
  return [
    ...(await unlessMissing('gateway and nginx', [NGINX, 'wrk'], async () =>
      rowsOfComparisons(await measureGateway()),
    )),
    ...(await unlessMissing('gateway with one stalled node', ['wrk'], rowsOfSlowNode)),
  ];
}

async function rowsOfSlowNode(): Promise<TableRow[]> {
  const { healthyP99Ms, stalledP99Ms, ratio, range } = await measureSlowNode();
  const rounds = range.map(value => value.toFixed(2)).join(' to ');
  const prompt = `${ratio.toFixed(2)} × two prompt nodes (${tenths(healthyP99Ms)}); rounds ${rounds}`;
  return [['p99 of a gateway with one stalled node of two', tenths(stalledP99Ms), prompt]];
}

/** The rows of `measure`; if a program is missing, one row with the reason. */
async function unlessMissing(
  task: string,
  programs: readonly string[],
  measure: () => Promise<TableRow[]>,
): Promise<TableRow[]> {
  const reason = whyNotMeasured(programs);
  return reason === undefined ? measure() : [[task, reason, '']];
}

export async function rowsOfModule(): Promise<TableRow[]> {
  const { wasm, staticSize } = await compileAssembly(root, 'release');
  return [
    ['firmware module', `${wasm.length} B`, ''],
    ['firmware static memory', `${staticSize} B`, ''],
  ];
}
