import {
  decodeLinked,
  decodeTransaction,
  derivePrivateKey,
  fromHex,
  seedFromMnemonic,
  TEST_MNEMONIC,
  type Transaction,
  toHex,
} from '@zbc-signer/chain';
import {
  type Clock,
  type Draft,
  type FlowEvent,
  type FlowOptions,
  GatewayClient,
  MemoryJournal,
  type SignTransactionRequest,
  sendTransaction,
  type TransactionOutcome,
} from '@zbc-signer/host';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import { accounts, transactions } from '../repository/vectors.js';
import { answer, FakeGateway } from './fake-gateway.js';

const SEED = seedFromMnemonic(TEST_MNEMONIC);
export const OWN = accounts.cases[0]!;
export const INFO = 'GET /api/v1/node/info';
export const ACCOUNT = `GET /api/v1/accounts/${OWN.address}`;
export const TOKENS = `${ACCOUNT}/tokens`;
export const FEE = 'GET /api/v1/blockchain/estimate-fee';
export const HEIGHT = 'GET /api/v1/blockchain/status';
export const LIST = 'GET /api/v1/transactions';
export const POST = 'POST /api/v1/transactions';

/**
 * A transfer of 1 coin from an account to itself, with the signature and the hash that a correct signer
 * returns.
 */
export const SEND = transactions.cases.find(({ name }) => name === 'send to self, reference length 113')!;
export const STATUS = `GET /api/v1/transactions/${SEND.expect.tx_hash}/status`;
export const SENT = decodeTransaction(fromHex(SEND.tx)) as Extract<Transaction, { type: 1 }>;

/** A decision on an escrow, and the record that a gateway has of the escrow; accounts are cut from the vector's bytes. */
export const ESCROW = transactions.cases.find(({ name }) => name === 'escrow approve, coin')!;
export const APPROVAL = decodeTransaction(fromHex(ESCROW.tx)) as Extract<Transaction, { type: 4 }>;
export const APPROVE: Draft = {
  type: 4,
  approval: 'approve',
  escrowHash: APPROVAL.escrowHash,
  fee: APPROVAL.fee,
};
const linked = ESCROW.linked!;
export const { transaction: ESCROWED } = decodeLinked(fromHex(linked));
export const ESCROW_RECORD = {
  version: 1,
  transaction_type: 1,
  timestamp: Number(ESCROWED.timestamp),
  fee: Number(ESCROWED.fee),
  sender_account_address: linked.slice(26, 98),
  recipient_account_address: linked.slice(98, 170),
  transaction_body_bytes: '80b2e60e00000000',
  signature: linked.slice(-128),
  escrow: {
    approver_address: OWN.address,
    commission: Number(ESCROWED.escrow!.commission),
    timeout: Number(ESCROWED.escrow!.timeout),
    instruction: 'ship first',
  },
};
export const ESCROW_ROUTE = `GET /api/v1/transactions/${toHex(APPROVAL.escrowHash)}`;

export const info = (rest = ',"signing_version":2,"signing_tag":"ZBC-TX"', genesis = SEND.genesis) =>
  answer(`{"genesis_hash":"${genesis}","height":9${rest}}`);
export const receipt = (hash = SEND.expect.tx_hash, duplicate = false) =>
  answer(`{"status":"success","duplicate":${duplicate},"transaction_hash":"${hash}"}`, 202);
export const refusal = (error: string) => answer(`{"success":false,"error":"${error}","code":400}`, 400);
export const stage = (name: string) => answer(`{"status":"${name}","block_height":12}`);
export const NOT_FOUND = answer('{"success":false,"error":"Transaction not found","code":404}', 404);
export const BUSY = answer('', 503);

/** Returns a signer with the key of an account of the test mnemonic. */
export const keyOf = (account: number) => new SoftwareSigner(derivePrivateKey(SEED, account));

export const sendDraft = (changes: object = {}): Draft => ({
  type: 1,
  recipient: SENT.recipient,
  amount: 100_000_000n,
  ...changes,
});

/** A gateway that accepts SEND. The fixture runs the flow with it, and records the events. */
export class FlowFixture {
  readonly events: FlowEvent[] = [];
  readonly asked: SignTransactionRequest[] = [];
  readonly journal = new MemoryJournal();
  sleptMs = 0;

  private constructor(
    readonly gateway: FakeGateway,
    readonly url: string,
  ) {}

  static async start(): Promise<FlowFixture> {
    const gateway = new FakeGateway()
      .on(INFO, info())
      .on(ACCOUNT, answer('{"balance":1000000000,"spendable_balance":1000000000}'))
      .on(FEE, answer('{"minimum_fee":2500000}'))
      .on(POST, receipt())
      .on(HEIGHT, answer('{"height":12}'))
      .on(STATUS, NOT_FOUND, stage('staging'), stage('mempool'), stage('confirmed'));
    return new FlowFixture(gateway, await gateway.start());
  }

  /**
   * Runs the flow with the key of account 0, on a clock that shows the time of the transaction and does not
   * wait.
   */
  run(
    draft: Draft,
    timestamp = SENT.timestamp,
    options: Partial<FlowOptions> = {},
  ): Promise<TransactionOutcome> {
    const key = keyOf(0);
    return sendTransaction(draft, {
      gateway: new GatewayClient(this.url),
      signer: {
        getPublicKey: () => key.getPublicKey(),
        signTransaction: async request => {
          this.asked.push(request);
          return key.signTransaction(request);
        },
      },
      account: 0,
      journal: this.journal,
      onProgress: event => this.events.push(event),
      clock: this.clock(timestamp),
      ...options,
    });
  }

  /** Returns a clock that starts at a time in Unix seconds. A wait advances the clock immediately. */
  clock(timestamp: bigint): Clock {
    return {
      now: () => Number(timestamp) * 1000 + this.sleptMs,
      sleep: async durationMs => {
        this.sleptMs += durationMs;
      },
    };
  }

  get posts() {
    return this.gateway.requests.filter(({ method }) => method === 'POST');
  }
}

export async function codeOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => 'no error',
    error => error.code ?? error.name,
  );
}
