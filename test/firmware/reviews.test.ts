import {
  type Account,
  accountFromPublicKey,
  derivePrivateKey,
  encodeTransaction,
  seedFromMnemonic,
  type Transaction,
} from '@zbc-signer/chain';
import { Emulator } from '@zbc-signer/emulator';
import { SEND_ZBC, TRANSFER_TOKEN } from '@zbc-signer/protocol/transaction-types';
import { opensslSign } from '../../testkit/crypto/openssl.js';
import { signMessage, signTransaction } from '../../testkit/device/apdu.js';
import { accounts, detailsCases, transactions } from '../../testkit/repository/vectors.js';
import { framesOf, itemsOf, startReview } from './shown.js';

// Values that are special only in their digits must not affect a review or a signature.

const OWN = accountFromPublicKey(Buffer.from(accounts.cases[0]!.public_key, 'hex'));
const { genesis } = transactions.cases[0]!;
const MOST = 2n ** 64n;

/** 64-bit numbers next to each power of two and of ten. */
const EDGES = [
  ...new Set(
    [
      ...Array.from({ length: 65 }, (_, i) => 2n ** BigInt(i)),
      ...Array.from({ length: 20 }, (_, i) => 10n ** BigInt(i)),
    ].flatMap(power => [power - 1n, power, power + 1n]),
  ),
].filter(value => value < MOST);

function reviewOf(emulator: Emulator, transaction: Transaction): Promise<[string, string][]> {
  const tx = Buffer.from(encodeTransaction(transaction)).toString('hex');
  return itemsOf(emulator, signTransaction({ account: 0, genesis, tx }));
}

/** A transfer with an escrow. */
function transfer(
  approver: Account,
  recipient: Account,
  [amount, fee, commission]: readonly bigint[],
): Transaction {
  return {
    type: SEND_ZBC,
    timestamp: 1n,
    sender: OWN,
    recipient,
    amount: amount!,
    fee: fee!,
    escrow: {
      approver,
      commission: commission!,
      timeout: 2n,
      instruction: new Uint8Array(),
      multiParty: false,
    },
    message: new Uint8Array(),
  };
}

const emulators: Emulator[] = [];
async function start(): Promise<Emulator> {
  const emulator = await Emulator.start();
  emulators.push(emulator);
  return emulator;
}
afterEach(() => {
  for (const emulator of emulators.splice(0)) emulator.stop();
});

function coins(atoms: bigint): string {
  const digits = `${atoms}`.padStart(9, '0');
  return `${`${digits.slice(0, -8)}.${digits.slice(-8)}`.replace(/\.?0+$/, '')} ZBC`;
}

test('amounts, fees and commissions around each power of two and of ten are shown with all digits', async () => {
  const emulator = await start();
  for (let i = 0; i < EDGES.length; i += 3) {
    const three = [0, 1, 2].map(j => EDGES[(i + j) % EDGES.length]!);
    const items = new Map(await reviewOf(emulator, transfer(OWN, OWN, three)));
    const shown = ['Amount', 'Fee', 'Escrow commission'].map(title => items.get(title));
    expect(shown).toEqual(three.map(coins));
  }
});

test('token ids of both signs around each power of two and of ten are shown with all digits', async () => {
  const emulator = await start();
  const ids = EDGES.filter(value => value <= MOST / 2n).flatMap(value => [value, -value]);
  for (const tokenId of ids.filter(value => value !== 0n && value < MOST / 2n)) {
    const amount = tokenId < 0n ? -(tokenId + 1n) : tokenId;
    const { escrow: _, ...base } = transfer(OWN, OWN, [0n, 1n, 0n]);
    const items = new Map(await reviewOf(emulator, { ...base, type: TRANSFER_TOKEN, tokenId, amount }));
    expect([items.get('Token'), items.get('Token amount')]).toEqual([`${tokenId}`, `${amount} atomic units`]);
  }
});

test('recipient and approver are not confused, however many bytes they have in common', async () => {
  const emulator = await start();
  const key = Buffer.from(Array.from({ length: 32 }, (_, i) => 3 * i));
  const other = key.map(byte => byte ^ 0x80);
  for (let length = 0; length < 32; length++) {
    for (const recipient of [
      Buffer.concat([key.subarray(0, length), other.subarray(length)]),
      Buffer.concat([other.subarray(length), key.subarray(0, length)]),
    ]) {
      const approver = recipient.map((byte, i) => (recipient[i] === key[i] ? byte : byte ^ 0x80));
      const request = transfer(dataset(approver), dataset(recipient), [1n, 1n, 1n]);
      const items = new Map(await reviewOf(emulator, request));
      const shown = [items.get('Recipient'), items.get('Escrow approver')];
      expect(shown).toEqual([recipient, approver].map(each => `Dataset ${each.toString('hex')}`));
    }
  }
});

/** An account that is shown as bytes. */
function dataset(payload: Uint8Array): Account {
  return { kind: 10, payload };
}

test('a review draws the same pages whichever review was shown before it', async () => {
  const requests = [...transactions.cases, ...detailsCases];
  const right: string[][] = [];
  for (const request of requests) right.push(await framesOf(await start(), signTransaction(request)));
  const emulator = await start();
  const inTurn = [...requests.keys()];
  for (const order of [inTurn, inTurn.toReversed()])
    for (const i of order) expect(await framesOf(emulator, signTransaction(requests[i]!))).toEqual(right[i]);
});

test.each([
  0, 1, 43, 44, 127, 128, 255, 256, 882, 883, 884, 999, 1000, 65_535, 65_536, 2_147_483_646, 2_147_483_647,
])('account %i signs as OpenSSL does', async account => {
  const emulator = await start();
  const message = Buffer.from(`of account ${account}`);
  const { done } = await startReview(emulator, signMessage(account, message));
  await emulator.approve();
  const { status, data } = await done;
  const key = derivePrivateKey(seedFromMnemonic(accounts.mnemonic), account);
  expect([status, data]).toEqual(['9000', Buffer.from(opensslSign(message, key))]);
});
