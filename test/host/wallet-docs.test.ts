import { rowsOf, sectionOf } from '../../testkit/repository/documents.js';
import { readText } from '../../testkit/repository/repository.js';

const section = sectionOf('docs/WALLET.md', '## Events, states and times');
const tables = section.split(/\n\n(?=\|)/).slice(1);
const [events, states, , times] = tables.map(rowsOf);

/** Returns the values of a field in the types of a source, in order. */
function valuesIn(source: string, field: string): string[] {
  const found = readText(source).matchAll(new RegExp(`^ *\\| \\{ ${field}: '([\\w-]+)'`, 'gm'));
  return [...found].map(([, value]) => value!);
}

const firstCells = (rows: string[][] | undefined) =>
  rows!.slice(2).map(([cell]) => cell!.replaceAll('`', ''));

test('docs/WALLET.md lists exactly the events of a payment in their order', () => {
  const steps = valuesIn('host/src/flow/options.ts', 'step');
  expect(steps).toContain('submitting');
  expect(firstCells(events)).toEqual(steps);
});

test('docs/WALLET.md lists exactly the states of a session', () => {
  const known = valuesIn('host/src/device/session/session-event.ts', 'state');
  expect(known).toContain('unresponsive');
  expect(firstCells(states)).toEqual(known);
});

test.each([
  ['pause between two polls of a session', 'device/session/session.ts', 'POLL_MS'],
  [
    'time without an answer until the state is `unresponsive`',
    'device/session/session.ts',
    'UNRESPONSIVE_MS',
  ],
  ['one request to a gateway', 'gateway/http.ts', 'TIMEOUT_MS'],
  ['pause for which the library obeys `Retry-After`', 'flow/chain/retry.ts', 'MAX_RETRY_AFTER_MS'],
  ['all requests to the gateways before the review', 'flow/prepare.ts', 'PREPARATION_TIMEOUT_MS'],
  ['from the approval to the confirmation', 'flow/flow-step.ts', 'CONFIRMATION_TIMEOUT_MS'],
  ['pause between two polls for the confirmation', 'flow/confirm.ts', 'POLL_MS'],
  [
    'time after which a confirmation in a block that the chain has not reached counts as false',
    'flow/confirm.ts',
    'LAG_MS',
  ],
])('docs/WALLET.md gives the right time limit: %s', (what, source, constant) => {
  const [, digits] = new RegExp(`^const ${constant} = ([\\d_]+);`, 'm').exec(readText(`host/src/${source}`))!;
  const [, time] = times!.find(([cell]) => cell === what)!;
  expect(time!.replace('at most ', '')).toBe(`${Number(digits!.replaceAll('_', '')) / 1000} s`);
});
