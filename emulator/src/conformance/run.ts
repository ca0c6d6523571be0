import { callListener } from '@zbc-signer/protocol/callbacks';
import type { SignerUnderTest, WrongScreen } from '../real-device/signer-under-test.js';
import { type Check, type CheckGroup, ConformanceBench, Nonconformity, NotTested } from './bench.js';
import type { Cases } from './cases.js';
import { behaviourChecks } from './checks/behaviour.js';
import { commandChecks } from './checks/commands.js';
import { identityChecks } from './checks/identity.js';
import { panelChecks } from './checks/panel.js';
import { refusalChecks } from './checks/refusals.js';
import { approvalChecks, reviewChecks } from './checks/reviews.js';
import { vaultChecks } from './checks/vault.js';

/** The outcome of a check; `not tested` if it cannot be made. */
export type CheckOutcome = 'passed' | 'failed' | 'not tested';

/** The `detail` of a check that was deselected. */
export const LEFT_OUT = 'left out by --only';

/** The outcome of a check, with the names of the check and its group. */
export interface CheckResult {
  group: string;
  name: string;
  outcome: CheckOutcome;
  /** The fault, or why the check was not tested. */
  detail?: string;
  screen?: WrongScreen | undefined;
  milliseconds: number;
}

/** Options of `runChecks`. */
export interface RunOptions {
  /** The mnemonic of the emulator with which the signer is compared. */
  mnemonic: string;
  signal?: AbortSignal | undefined;
  /** Called after every check. */
  onResult?: ((result: CheckResult) => void) | undefined;
  /** Whether the run ends at the first failure. */
  stopsEarly?: boolean | undefined;
}

/**
 * Runs checks one after another. Stops after the first group if one of its checks failed, and at once if the
 * very first check failed, because with another seed or another menu all other checks would fail too.
 */
export async function runChecks(
  signer: SignerUnderTest,
  groups: readonly CheckGroup[],
  { mnemonic, signal, onResult, stopsEarly = false }: RunOptions,
): Promise<CheckResult[]> {
  const bench = await ConformanceBench.open(signer, mnemonic);
  const results: CheckResult[] = [];
  const first = groups[0]?.name;
  try {
    for (const { group, check } of checksOf(signer, groups, bench)) {
      signal?.throwIfAborted();
      if (group !== first && failsIn(results, first)) break;
      const result = { group, name: check.name, ...(await runCheck(bench, check)) };
      signal?.throwIfAborted();
      results.push(result);
      void callListener(onResult, result);
      if (result.outcome !== 'failed') continue;
      if (stopsEarly || results.length === 1) break;
      bench.hurry();
      // The cut clears the display, on which the failed check may have left a page.
      await bench.cutPower().catch(() => false);
    }
    return results;
  } finally {
    await bench.close();
  }
}

/** Results of checks that were deselected. */
export function listLeftOut(signer: SignerUnderTest, groups: readonly CheckGroup[]): CheckResult[] {
  return Array.from(checksOf(signer, groups), ({ group, check }) => ({
    group,
    name: check.name,
    outcome: 'not tested',
    detail: LEFT_OUT,
    milliseconds: 0,
  }));
}

function failsIn(results: readonly CheckResult[], wanted: string | undefined): boolean {
  return results.some(({ group, outcome }) => group === wanted && outcome === 'failed');
}

/**
 * The checks that apply to the signer, with their groups. Whether a group applies is decided when it is
 * reached.
 */
function* checksOf(
  signer: SignerUnderTest,
  groups: readonly CheckGroup[],
  bench?: ConformanceBench,
): Iterable<{ group: string; check: Check }> {
  for (const { name, checks, applies } of groups) {
    if (applies?.(signer, bench) ?? true) for (const check of checks) yield { group: name, check };
  }
}

async function runCheck(bench: ConformanceBench, check: Check): Promise<Omit<CheckResult, 'group' | 'name'>> {
  const start = performance.now();
  const outcome = await bench
    .begin()
    .then(() => check.run(bench))
    .then(() => ({ outcome: 'passed' as const }), describeProblem);
  return { ...outcome, milliseconds: Math.round(performance.now() - start) };
}

function describeProblem(error: Error): Omit<CheckResult, 'group' | 'name' | 'milliseconds'> {
  if (error instanceof NotTested) return { outcome: 'not tested', detail: error.message };
  const screen = error instanceof Nonconformity ? error.screen : undefined;
  return { outcome: 'failed', detail: error.message, screen };
}

/** All checks, in the order of a run. If the first one fails, the others do not run. */
export function allChecks(cases: Cases): CheckGroup[] {
  return [
    identityChecks(cases),
    approvalChecks(cases),
    ...refusalChecks(cases),
    ...commandChecks(cases),
    panelChecks(cases),
    ...behaviourChecks(cases),
    ...reviewChecks(cases),
    vaultChecks,
  ];
}
