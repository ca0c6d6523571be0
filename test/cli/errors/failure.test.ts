import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeFailure } from '#cli/errors/failure.js';
import { readText, root } from '../../../testkit/repository/repository.js';

/** Every error code in the sources. */
function codesIn(directory: string): string[] {
  return readdirSync(join(root, directory), { recursive: true, encoding: 'utf8' })
    .filter(name => /(errors|remedies)\.ts$/.test(name))
    .flatMap(name => [...readText(join(directory, name)).matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)'/g)])
    .map(match => match[1]!);
}

/** Codes of bugs, and of errors that only tests see. */
const BUGS = [
  'DOCKER',
  'EMULATOR_STOPPED',
  'FIRMWARE_CRASH',
  'NO_REVIEW',
  'RECORD_DURING_REVIEW',
  'REVIEW_MISMATCH',
  'SNAPSHOT_MISMATCH',
];
const NOT_CODES = ['EADDRINUSE', 'EACCES'];

test.each([
  ...new Set(
    ['cli/src', 'chain/src', 'host/src', 'emulator/src', 'gateway/src', 'devnet/src'].flatMap(codesIn),
  ),
])('the code %s has the exit code of its kind', code => {
  if (!NOT_CODES.includes(code)) {
    const { exit } = describeFailure(Object.assign(new Error('words'), { code }));
    expect(exit === 1).toBe(BUGS.includes(code));
  }
});

test.each<[code: string, word: string, facts?: object]>([
  ['FEE_TOO_HIGH', '--max-fee'],
  ['FEE_TOO_LOW', '--fee'],
  ['ZERO_AMOUNT', '--allow-zero'],
  ['WRONG_CHAIN', '--genesis'],
  ['INVALID_DOCUMENT', 'zbc-signer tx build'],
  ['TRANSACTION_EXPIRED', 'zbc-signer tx build'],
  ['NOT_THE_APPROVER', 'zbc-signer escrow list'],
  ['UNSETTLED_PAYMENT', '--pay-again'],
  ['DUPLICATE_TRANSACTION', 'zbc-signer status abcd', { sent: 'maybe' }],
  ['BROADCAST_UNCERTAIN', 'zbc-signer status abcd', { sent: 'maybe' }],
  ['BROADCAST_REFUSED', 'until 2027-01-15 09:00:01 UTC', { sent: 'maybe', safeAfter: '1800003601' }],
])('the remedy for %s names %s', (code, word, facts = {}) => {
  const error = Object.assign(new Error('words'), { code, facts: { transactionHash: 'abcd', ...facts } });
  expect(describeFailure(error).hint).toContain(word);
});
