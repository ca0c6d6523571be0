import { DevnetError } from '@zbc-signer/devnet';
import { parseChaos } from '@zbc-signer/devnet/chaos';
import { ConfigError } from '@zbc-signer/gateway';
import { HidTransport } from '@zbc-signer/host/node';
import { ImageError } from '@zbc-signer/image';
import { messageSignatureError, UsageError, unknownTransactionError } from '#cli/errors/errors.js';
import { EXIT_CODES } from '#cli/errors/exit-codes.js';
import { EXITS } from '#cli/errors/exits.js';
import { describeFailure, describeInterrupted } from '#cli/errors/failure.js';
import { readText } from '../../../testkit/repository/repository.js';

/** Codes of errors that are bugs, or that occur only in tests. */
const BUGS = [
  'EMULATOR_STOPPED',
  'FIRMWARE_CRASH',
  'NO_REVIEW',
  'RECORD_DURING_REVIEW',
  'REVIEW_MISMATCH',
  'SNAPSHOT_MISMATCH',
  'STILL_PENDING',
  'WRONG_PAGE',
];

const codes = ['chain', 'host', 'emulator'].flatMap(name =>
  Object.keys(JSON.parse(readText(`${name}/errors.json`))),
);

test.each(codes)('an error with the code %s has the exit code of its class', code => {
  const { exit } = describeFailure(Object.assign(new Error('words'), { code }));
  expect(exit).toBe(EXIT_CODES.find(({ name }) => name === EXITS[code as keyof typeof EXITS])?.code);
  expect(exit === 1).toBe(BUGS.includes(code));
});

test.each<[name: string, error: Error, exit: number]>([
  ['an option', new UsageError('words'), 2],
  ['an image that cannot be read', new ImageError('BAD_IMAGE', 'words'), 2],
  ['an image with a wrong signature', new ImageError('IMAGE_SIGNATURE', 'words'), 11],
  ['a file that is in no release', new ImageError('NOT_RELEASED', 'words'), 11],
  ["a gateway's configuration", new ConfigError('CONFIG_INVALID', 'words'), 2],
  ["a network's data", new DevnetError('DATA_BROKEN', 'words'), 2],
  ['a text that was not signed', messageSignatureError('ZBC'), 11],
  ['an unknown transaction', unknownTransactionError('aa'), 14],
])('an error about %s has the right exit code', (_name, error, exit) => {
  expect(describeFailure(error)).toMatchObject({ exit, message: error.message });
});

test('an unknown kind of chaos is an invalid option', () => {
  let thrown: unknown;
  try {
    parseChaos(['nonsense']);
  } catch (error) {
    thrown = error;
  }
  expect(describeFailure(thrown)).toMatchObject({ exit: 2, code: 'BAD_CHAOS' });
});

test('the advice for a missing USB device also names an emulator and how to select it', async () => {
  const open = () => Promise.reject(new Error('no device'));
  const transport = new HidTransport({ system: { list: async () => [], open } });
  const { code, hint } = describeFailure(await transport.exchange(new Uint8Array(5)).catch(error => error));
  expect(code).toBe('DEVICE_NOT_FOUND');
  expect(hint).toMatch(/emulator in ZBC_SIGNER_DEVICE\..*udev-rules --install/);
});

test('an error of another program is reported as a bug, whatever its code and exit', () => {
  const foreign = Object.assign(new Error('words'), { code: 'toString', exit: 'constructor' });
  expect(describeFailure(foreign)).toMatchObject({ exit: 1, code: 'UNEXPECTED' });
});

test.each<[code: string, word: string, facts?: object]>([
  ['FEE_TOO_HIGH', '--max-fee'],
  ['FEE_TOO_LOW', '--fee'],
  ['ZERO_AMOUNT', '--allow-zero'],
  ['FEE_IN_TOKEN', '--allow-fee-in-token'],
  ['WRONG_CHAIN', '--genesis'],
  ['INVALID_DOCUMENT', 'zbc-signer tx build'],
  ['TRANSACTION_EXPIRED', 'zbc-signer tx build'],
  ['NOT_THE_APPROVER', 'zbc-signer escrow list'],
  ['UNSETTLED_PAYMENT', '--pay-again'],
  ['DUPLICATE_TRANSACTION', 'zbc-signer status abcd', { sent: 'maybe' }],
  ['BROADCAST_UNCERTAIN', 'zbc-signer status abcd', { sent: 'maybe' }],
  ['BROADCAST_REFUSED', 'before 2027-01-15 09:02:01 UTC', { sent: 'maybe', safeAfter: '1800003601' }],
])('the remedy for %s names %s', (code, word, facts = {}) => {
  const error = Object.assign(new Error('words'), { code, facts: { transactionHash: 'abcd', ...facts } });
  expect(describeFailure(error).hint).toContain(word);
});

test('the remedy for a damaged journal names the hash of the journal entry', () => {
  const facts = { earlierHash: 'abcd', sent: 'maybe' };
  const error = Object.assign(new Error('words'), { code: 'JOURNAL_FAILED', facts });
  expect(describeFailure(error).hint).toContain('`zbc-signer status abcd`');
});

test.each([
  ['FALSE_STATUS', 'maybe', 11],
  ['NOT_CONFIRMED', 'yes', 12],
  ['BROADCAST_UNCERTAIN', 'maybe', 8],
  ['HASH_MISMATCH', 'maybe', 15],
  ['JOURNAL_FAILED', 'no', 2],
])(
  'Ctrl-C does not hide %s for a signed transaction, and adds no claim that nothing was sent',
  (code, sent, exit) => {
    const error = Object.assign(new Error('words'), { code, facts: { transactionHash: 'abcd', sent } });
    const failure = describeInterrupted(error, 'Nothing was sent.');
    expect(failure).toMatchObject({
      exit,
      code,
      message: 'words',
      facts: { transaction_hash: 'abcd', sent },
    });
    expect(failure.hint ?? '').not.toContain('Nothing was sent');
  },
);

test('Ctrl-C does not hide a sign of tampering', () => {
  const error = Object.assign(new Error('words'), { code: 'NONCE_CHANGED', facts: {} });
  expect(describeInterrupted(error, 'Nothing was sent.')).toMatchObject({ exit: 11, message: 'words' });
});

test.each([
  new Error('words'),
  Object.assign(new Error('words'), { code: 'TRANSPORT_FAILED' }),
  Object.assign(new Error('words'), { code: 'ESCROW_DECIDED', facts: { transactionHash: 'abcd' } }),
])('Ctrl-C is reported instead of %s, which does not concern a transaction of this command', error => {
  const failure = describeInterrupted(error, 'Nothing was sent.');
  expect(failure).toEqual({
    exit: 130,
    code: 'INTERRUPTED',
    message: 'interrupted',
    hint: 'Nothing was sent.',
    facts: {},
  });
});
