import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NonceError } from '@zbc-signer/host';
import { keepEvidence } from '#cli/connection/evidence.js';
import { parseSigning } from '#cli/transaction/signing.js';

let state: string;
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'state-'));
  process.env.XDG_STATE_HOME = state;
  process.env.XDG_CONFIG_HOME = state;
});
afterEach(() => {
  delete process.env.XDG_STATE_HOME;
  delete process.env.XDG_CONFIG_HOME;
  rmSync(state, { recursive: true });
});

const POINT = '11'.repeat(32);
const EVIDENCE = {
  public_key: '22'.repeat(32),
  message: '00',
  random_bytes: '33'.repeat(32),
  nonce_point: POINT,
};

test('evidence against a device is kept in a file of this user, and in no message', async () => {
  const error = new NonceError('NONCE_INVALID', EVIDENCE);
  const reported = await keepEvidence(error);
  const directory = join(state, 'zbc-signer');
  const [name] = readdirSync(directory);
  const path = join(directory, name!);
  expect(readFileSync(path, 'utf8')).toBe(error.evidence());
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect([reported.code, reported.message]).toEqual(['NONCE_INVALID', expect.stringContaining(path)]);
  expect(`${reported.message} ${reported.hint} ${JSON.stringify(reported.facts)}`).not.toContain(POINT);
});

test('if the evidence cannot be kept, the error says so, and stays that of the device', async () => {
  process.env.XDG_STATE_HOME = '/dev/null';
  const reported = await keepEvidence(new NonceError('NONCE_CHANGED', EVIDENCE));
  expect([reported.code, reported.message]).toEqual([
    'NONCE_CHANGED',
    expect.stringContaining('could not be kept'),
  ]);
});

test('the check is preferred unless an option says otherwise', () => {
  expect(parseSigning({})).toMatchObject({ antiExfil: 'prefer', allowsWithheld: false });
  expect(parseSigning({ antiExfil: 'require', allowWithheld: true })).toMatchObject({
    antiExfil: 'require',
    allowsWithheld: true,
  });
});
