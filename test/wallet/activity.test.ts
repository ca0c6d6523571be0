import { Entries, formatEntries } from '#wallet/page/activity.js';
import { OTHER, OWN } from '../../testkit/gateway/chain-answers.js';

const FAUCET = 'ZBC_AAAAAAAA_AAAAAAAA_AAAAAAAA_AAAAAAAA_AAAAAAAA_AAAAAAAA_AAAAAAAA_AAAAAAAA';
const AMBER = { id: 7n, symbol: 'AMBER', decimals: 2 };

const ESCROW = {
  hash: new Uint8Array(32),
  type: 1,
  timestamp: 1_800_000_000n,
  sender: OTHER,
  recipient: FAUCET,
  fee: 1n,
  content: { kind: 'coins', amount: 2_000_000_000n },
  escrow: { approver: OWN, commission: 300_000_000n, timeout: 1_800_003_600n },
  escrowState: 'approved',
  height: 5n,
  isVerified: true,
};

/** The entries of an account that takes part in the transactions. */
function entriesOf(address: string, ...transactions: object[]) {
  const wallet = { tokens: [AMBER], activity: { of: () => transactions } };
  return new Entries(wallet as never, { transactions: [], movements: [] }).of({ address } as never);
}

test('the approver of an escrow is shown as having received nothing', () => {
  const [entry] = entriesOf(OWN, ESCROW);
  expect(entry!.amount).toBeUndefined();
  expect(entry!.details).toContainEqual(['To', FAUCET]);
  expect(entry!.details).toContainEqual(['Amount', '20 ZBC']);
});

test('the commission of an escrow is shown to the account that pays it and the account that earns it', () => {
  expect(entriesOf(OTHER, ESCROW)[0]!.details).toContainEqual(['Commission', '3 ZBC']);
  expect(entriesOf(OWN, ESCROW)[0]!.details).toContainEqual(['Commission', '3 ZBC']);
  expect(entriesOf(FAUCET, ESCROW)[0]!.details.map(([name]) => name)).not.toContain('Commission');
});

test("saved entries contain the token's id, and a name of an address only if it was given", () => {
  const content = { kind: 'token', tokenId: 7n, amount: 250n };
  const saved = formatEntries(entriesOf(FAUCET, { ...ESCROW, content }), () => undefined);
  expect(saved.split('\r\n')[1]).toContain(`"'+2.5 AMBER","token 7","${OTHER}","",`);
});

test('a timestamp outside the range of dates does not prevent saving', () => {
  const timestamp = 2n ** 64n - 1n;
  expect(formatEntries(entriesOf(OWN, { ...ESCROW, timestamp }), () => undefined)).toContain(
    `"${timestamp}"`,
  );
});
