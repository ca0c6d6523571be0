import { AbortedError, ZbcSignerError } from '@zbc-signer/chain';
import { broadcastStateOf, safeAfter } from '@zbc-signer/host';

test.each<[string, unknown, string]>([
  ['that says maybe', new ZbcSignerError('BROADCAST_REFUSED', '', { facts: { sent: 'maybe' } }), 'maybe'],
  ['that says yes', new ZbcSignerError('NOT_CONFIRMED', '', { facts: { sent: 'yes' } }), 'yes'],
  ['before anything was signed', new ZbcSignerError('USER_REJECTED', ''), 'no'],
  ['of an abort before the approval', new AbortedError(undefined), 'no'],
  ['of another program', new TypeError('fetch failed'), 'maybe'],
  ['that is undefined', undefined, 'maybe'],
])('broadcastStateOf reads an error %s', (_what, error, sent) => {
  expect(broadcastStateOf(error)).toBe(sent);
});

test('a timestamp is accepted up to an hour later, and not a second more', () => {
  expect(safeAfter({ timestamp: 1_800_000_000n })).toBe(1_800_003_601n);
});
