import type { AccountMovement } from '@zbc-signer/host';
import { entryOf, movementsOf } from '#wallet/page/activity.js';
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
  height: 5n,
  position: 0,
  isVerified: true,
};

/** The entries of an account of which the blocks have one transaction. */
function entriesOf(address: string, transaction: object = ESCROW) {
  const span = { from: 0n, to: 5n, time: 0n, activities: [transaction], endings: [] };
  const state = { tokens: [AMBER], accounts: [{ address }], selected: 0 };
  return movementsOf(state as never, span as never, undefined).map((movement: AccountMovement) =>
    entryOf(state as never, movement, address),
  );
}

test('the approver and the recipient of a held escrow are shown as having received nothing', () => {
  for (const address of [OWN, FAUCET]) {
    const [entry] = entriesOf(address);
    expect(entry!.amount).toBeUndefined();
    expect(entry!.details).toContainEqual(['Amount', '20 ZBC']);
    expect(entry!.details).toContainEqual(['Escrow', 'held']);
  }
});

test('the commission of an escrow is shown to the account that pays it and the account that earns it', () => {
  expect(entriesOf(OTHER).map(({ amount }) => amount)).toEqual(['−3 ZBC', '−20 ZBC']);
  expect(entriesOf(OWN)[0]!.details).toContainEqual(['Commission', '3 ZBC']);
  expect(entriesOf(FAUCET)[0]!.details.map(([name]) => name)).not.toContain('Commission');
});

test('a token is shown with its id', () => {
  const content = { kind: 'token', tokenId: 7n, amount: 250n };
  const [entry] = entriesOf(FAUCET, { ...ESCROW, content, escrow: undefined });
  expect(entry).toMatchObject({ amount: '+2.5 AMBER', token: 'token 7' });
});
