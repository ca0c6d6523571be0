import { derivePrivateKey, seedFromMnemonic, TEST_MNEMONIC } from '@zbc-signer/chain';
import { type Draft, type Fields, fieldsOf, Wallet } from '../../../testkit/chain/wallet.js';
import { sha3 } from '../../../testkit/crypto/sha3.js';
import { Network } from '../../../testkit/devnet/network.js';
import { GENESIS } from '../../../testkit/devnet/payment.js';
import {
  accountCases,
  refusalCases,
  type TransactionCase,
  transactionCases,
} from '../../../testkit/repository/vectors.js';

/** The timestamp of most golden transactions. */
const MADE_AT = 1_767_225_600n;
const SEED = seedFromMnemonic(TEST_MNEMONIC);
const wallets = new Map(
  [0, 1, 65_536].map(account => [account, new Wallet(derivePrivateKey(SEED, account))]),
);

/** Lengths of the payloads of accounts that do not have 32 bytes, by kind. */
const PAYLOAD_LENGTHS: Readonly<Record<number, number>> = {
  ...Object.fromEntries([1, 4, 5, 6, 7, 14, 15, 16].map(kind => [kind, 20])),
  2: 0,
  13: 28,
};

/** Splits bytes according to docs/TRANSACTION.md#wire-format, and trusts every length. */
class Splitter {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(hex: string) {
    this.#bytes = Buffer.from(hex, 'hex');
  }

  take(length: number): Buffer {
    const part = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return part;
  }

  u32(): number {
    return this.take(4).readUInt32LE();
  }

  u64(): bigint {
    return this.take(8).readBigUInt64LE();
  }

  account(): Buffer {
    const kind = this.take(4);
    return Buffer.concat([kind, this.take(PAYLOAD_LENGTHS[kind.readUInt32LE()] ?? 32)]);
  }

  end(): boolean {
    return this.#at === this.#bytes.length;
  }
}

function splitTransaction(hex: string): Draft {
  const bytes = new Splitter(hex);
  const head = {
    type: BigInt(bytes.u32()),
    version: BigInt(bytes.take(1).readUInt8()),
    timestamp: bytes.u64(),
  };
  const parties = { sender: bytes.take(36), recipient: bytes.account() };
  const fee = bytes.u64();
  const body = bytes.take(bytes.u32());
  const escrow = splitEscrow(bytes);
  const message = bytes.take(bytes.u32());
  expect(bytes.end()).toBe(true);
  return { ...head, ...parties, fee, body, ...escrow, message };
}

function splitEscrow(bytes: Splitter): Pick<Draft, 'escrow'> {
  const approver = bytes.account();
  if (approver.length === 4) return {};
  const [commission, timeout] = [bytes.u64(), bytes.u64()];
  const instruction = bytes.take(bytes.u32()).toString('utf8');
  return { escrow: { approver, commission, timeout, instruction, multiParty: bytes.take(1)[0] === 1 } };
}

/**
 * The node's answer to each golden transaction, signed for the node's own chain by accounts that have 100 ZBC
 * and tokens 1 and 2.
 */
const OUTCOMES: [names: RegExp, outcome: RegExp | 'taken'][] = [
  [/no fee$/, /^fee too low/],
  [/largest|past year 9999/, /^insufficient balance/],
  [/the total carries from its last digit|the total is 2\^64/, /^fee too low/],
  [/far ahead/, /^timestamp too far ahead/],
  // JSON has the instruction as text, so that other bytes are lost and the signature is that of other bytes.
  [/binary in their last bytes$/, /^Invalid transaction signature$/],
  [/^token with escrow, 512-byte/, /^token -7 does not exist/],
  [/^token, fee flag 1|^token with escrow/, /^fee_in_token must be 0/],
  [/^token, fee flag 0/, /^insufficient balance of token 14/],
  [/^token, host/, /^token -42 does not exist/],
  [/^token$/, /^token -4611686018427387904 does not exist/],
  [/^escrow/, /^escrow does not exist/],
  [/^published/, /^timestamp too old/],
  [/^send/, 'taken'],
];

/**
 * The node's answers to transactions that a signer refuses. The other refused transactions cannot be written
 * as JSON fields.
 */
const REFUSAL_OUTCOMES: [name: string, outcome: RegExp | 'taken'][] = [
  ['unknown type 2', /^transaction type 2 is not supported/],
  ['unknown type 257', /^transaction type 257 is not supported/],
  ['type 0', /^transaction type 0 is not supported/],
  ['version 0', /^transaction version must be 1/],
  ['version 2', /^transaction version must be 1/],
  ['timestamp 0', /^timestamp too old/],
  ['sender is another account', /^Invalid transaction signature$/],
  ['sender kind 4', /^Invalid transaction signature$/],
  ['sender differs in the last byte', /^Invalid transaction signature$/],
  ['recipient missing', /^a recipient is required/],
  ['recipient kind unknown', /^invalid account/],
  ['body 7 bytes', /^SendZBC body/],
  ['body 9 bytes', 'taken'],
  ['body empty', /^SendZBC body/],
  ['token id 0', /^token 0 does not exist/],
  ['token amount negative', /^token amount is negative/],
  ['token fee flag 2', /^fee_in_token must be 0/],
  ['escrow timeout equals timestamp', /^escrow timeout must be after/],
  ['escrow timeout before timestamp', /^escrow timeout must be after/],
  ['message 257', /^message is 257 bytes/],
  ['approval value 2', /^approval must be/],
  ['approval body 12', /^ApprovalEscrow body/],
  ['approval with recipient', /^ApprovalEscrow must not have a recipient/],
];

let network: Network;
beforeEach(async () => {
  network = await Network.open();
  network.timestamp = MADE_AT;
  await network.fund(...wallets.values());
});
afterEach(() => network.close());

function signedFields({ tx, account }: Pick<TransactionCase, 'tx' | 'account'>): {
  fields: Fields;
  hash: string;
} {
  const unsigned = Buffer.from(tx, 'hex');
  const signature = wallets.get(account)!.sign(GENESIS, unsigned);
  return {
    fields: fieldsOf(splitTransaction(tx), signature),
    hash: sha3(unsigned, signature).toString('hex'),
  };
}

async function expectOutcome(
  golden: Pick<TransactionCase, 'tx' | 'account'>,
  outcome: RegExp | 'taken',
): Promise<void> {
  const { fields, hash } = signedFields(golden);
  const { status, body } = await network.broadcast(fields);
  if (outcome === 'taken') {
    expect([status, body.transaction_hash]).toEqual([202, hash]);
    network.blocks(2);
    expect((await network.get(`/api/v1/transactions/${hash}`)).body).toMatchObject({
      status: 'confirmed',
      unsigned_hex: golden.tx,
    });
  } else {
    expect(status).toBe(400);
    expect(String(body.error).replace('Transaction validation failed: ValidationError: ', '')).toMatch(
      outcome,
    );
  }
}

test('derives the keys that the vectors name', () => {
  for (const { passphrase, account, public_key } of accountCases) {
    const wallet = passphrase === '' ? wallets.get(account) : undefined;
    if (wallet) expect(wallet.publicKey.toString('hex')).toBe(public_key);
  }
});

describe('the golden transactions', () => {
  test.each(transactionCases.map(golden => [golden.name, golden] as const))(
    'are refused with the signature of the vector, which is for another chain: %s',
    async (_name, { tx, expect: { signature } }) => {
      const { status, body } = await network.broadcast(
        fieldsOf(splitTransaction(tx), Buffer.from(signature, 'hex')),
      );
      const error = 'Transaction validation failed: ValidationError: Invalid transaction signature';
      expect([status, body]).toEqual([400, { success: false, error, code: 400n }]);
    },
  );

  test.each(transactionCases.map(golden => [golden.name, golden] as const))(
    'signed for this chain are checked by the rules: %s',
    async (name, golden) => {
      await expectOutcome(golden, OUTCOMES.find(([names]) => names.test(name))![1]);
    },
  );
});

test.each(REFUSAL_OUTCOMES)('the node checks a case that the signer refuses: %s', async (name, outcome) => {
  await expectOutcome(refusalCases.find(golden => golden.name === name)!, outcome);
});
