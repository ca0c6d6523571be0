import type { CheckGroup } from './bench.js';
import type { Cases } from './cases.js';
import { behaviourChecks } from './checks/behaviour.js';
import { identityChecks } from './checks/identity.js';
import { panelChecks } from './checks/panel.js';
import { refusalChecks } from './checks/refusals.js';
import { reviewChecks } from './checks/reviews.js';
import { vaultChecks } from './checks/vault.js';

/** Every check in the order in which they run; the first one decides whether the others can. */
export function allChecks(cases: Cases): CheckGroup[] {
  return [
    identityChecks(cases),
    ...refusalChecks(cases),
    panelChecks(cases),
    ...behaviourChecks(cases),
    ...reviewChecks(cases),
    vaultChecks,
  ];
}
