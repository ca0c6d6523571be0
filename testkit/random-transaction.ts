import {
  ACCOUNT_KINDS,
  type Account,
  type Escrow,
  encodeTransaction,
  NO_ACCOUNT,
  type Transaction,
} from '@zbc-signer/chain';
import fc from 'fast-check';
import { sha3 } from './sha3.js';

/** A transaction that the signer takes, and what it is sent with. */
export interface Request {
  transaction: Transaction;
  genesisHash: Uint8Array;
  /** For an ApprovalEscrow. */
  escrowed?: Transaction;
  signature?: Uint8Array;
  token?: { decimals?: number; symbol?: string };
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const u64 = fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.bigInt(0n, 1000n), fc.constant(2n ** 64n - 1n));
const i64 = fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.bigInt(-20n, 20n));
const seconds = fc.oneof(fc.bigInt(1n, 2n ** 63n), fc.bigInt(1n, 4_000_000_000n));
const text = (maxLength: number) => {
  const characters = fc.array(fc.constantFrom(...'abc XYZ_09\n~!'), { maxLength });
  const asText = characters.map(letters => new TextEncoder().encode(letters.join('')));
  return fc.oneof(asText, fc.uint8Array({ maxLength }), fc.constant(new Uint8Array()));
};

const kinds = ACCOUNT_KINDS.map((kind, number) => ({ kind: number, length: kind.payloadLength }));
const account = (choice: typeof kinds): fc.Arbitrary<Account> =>
  fc.constantFrom(...choice).chain(({ kind, length }) => bytes(length).map(payload => ({ kind, payload })));
const recipient = fc.oneof(account([kinds[0]!]), account(kinds.filter(({ length }) => length > 0)));
const keySized = account(kinds.filter(({ length }) => length === 32));

const escrow = (approver: fc.Arbitrary<Account>, after: bigint): fc.Arbitrary<Escrow> =>
  fc.record({
    approver,
    commission: u64,
    timeout: fc.oneof(fc.constant(after + 1n), fc.bigInt(after + 1n, 2n ** 64n - 1n)),
    instruction: text(512),
    multiParty: fc.boolean(),
  });

const transferBody = fc.oneof(
  fc.record({ type: fc.constant(1 as const), amount: u64 }),
  fc.record(
    {
      type: fc.constant(11 as const),
      tokenId: i64.filter(id => id !== 0n),
      amount: fc.bigInt(0n, 2n ** 63n - 1n),
      feeInToken: fc.boolean(),
    },
    { requiredKeys: ['type', 'tokenId', 'amount'] },
  ),
);

/** A transfer; with an approver always escrowed, else now and then. */
function transfer(sender: Account, approver?: Account): fc.Arbitrary<Transaction> {
  return seconds.chain(timestamp => {
    const own = escrow(approver ? fc.constant(approver) : keySized, timestamp);
    const base = fc.record({ fee: u64, recipient, message: text(256) });
    const withEscrow = approver ? own : fc.option(own, { nil: undefined });
    return fc
      .tuple(transferBody, base, withEscrow)
      .map(([body, rest, held]) => ({ ...body, ...rest, timestamp, sender, ...(held && { escrow: held }) }));
  });
}

const token = fc.record(
  { decimals: fc.integer({ min: 0, max: 8 }), symbol: fc.stringMatching(/^[!-~]{1,12}$/) },
  { requiredKeys: [] },
);

function transferRequest(own: Account): fc.Arbitrary<Request> {
  return fc
    .tuple(transfer(own), bytes(32), fc.option(token, { nil: undefined }))
    .map(([transaction, genesisHash, details]) => ({
      transaction,
      genesisHash,
      ...(transaction.type === 11 && details && { token: details }),
    }));
}

function approvalRequest(own: Account): fc.Arbitrary<Request> {
  const theirs = account([kinds[0]!]).chain(sender => transfer(sender, own));
  const base = fc.record({ timestamp: seconds, fee: u64, message: text(256), genesisHash: bytes(32) });
  return fc
    .tuple(theirs, bytes(64), fc.constantFrom(0 as const, 1 as const), base)
    .map(([escrowed, signature, approval, { genesisHash, ...rest }]) => {
      const escrowHash = sha3(linkedBytes(escrowed, signature));
      const transaction = {
        type: 4 as const,
        ...rest,
        approval,
        escrowHash,
        sender: own,
        recipient: NO_ACCOUNT,
      };
      return { transaction, genesisHash, escrowed, signature };
    });
}

/** The second buffer of an ApprovalEscrow. */
export function linkedBytes(escrowed: Transaction, signature: Uint8Array): Uint8Array {
  return Buffer.concat([encodeTransaction(escrowed), signature]);
}

/** Requests of every type that the device of the account `own` takes; the same ones at every run. */
export function randomRequests(own: Account, count: number, seed: number): Request[] {
  return fc.sample(fc.oneof({ weight: 3, arbitrary: transferRequest(own) }, approvalRequest(own)), {
    numRuns: count,
    seed,
  });
}
