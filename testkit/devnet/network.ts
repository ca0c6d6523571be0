import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { parse, stringify } from 'lossless-json';
import { createNodeApp } from '#devnet/node/app.js';
import { type ChainOptions, DevelopmentChain } from '#devnet/node/chain/development-chain.js';
import { checkState } from '#devnet/node/chain/state-check.js';
import {
  type Draft,
  type Fields,
  i64,
  NO_ACCOUNT,
  type Signed,
  signDraft,
  type Wallet,
} from '../chain/wallet.js';
import { u32, u64 } from '../crypto/little-endian.js';
import { FEE, GENESIS } from './payment.js';

/** 2027-01-15 08:00:00 UTC. */
export const START = 1_800_000_000n;

/** The balances of a token. All three are `undefined` if the account does not have the token. */
type Balances = [balance: unknown, spendable: unknown, locked: unknown];

export interface Reply {
  status: number;
  /** The parsed JSON of the reply; an empty object if the reply is not JSON. */
  body: Fields;
  text: string;
}

/**
 * A development chain and its HTTP interface, without network connections. The test controls blocks and time.
 */
export class Network {
  timestamp = START;
  readonly directory = mkdtempSync(join(tmpdir(), 'zbc-test-'));
  readonly errors: Error[] = [];
  chain!: DevelopmentChain;
  app!: FastifyInstance;

  static async open(options: ChainOptions = {}): Promise<Network> {
    const network = new Network();
    await network.start(options);
    return network;
  }

  async start(options: ChainOptions = {}): Promise<void> {
    this.chain = await DevelopmentChain.open(this.directory, () => Number(this.timestamp) * 1000 + 999, {
      namedChain: true,
      ...options,
    });
    this.app = createNodeApp(this.chain, error => this.errors.push(error));
  }

  async halt(): Promise<void> {
    await this.app.close();
    await this.chain.close();
  }

  async close(): Promise<void> {
    await this.halt();
    rmSync(this.directory, { recursive: true });
  }

  async get(url: string): Promise<Reply> {
    const { statusCode, body } = await this.app.inject({ url });
    return { status: statusCode, body: readJson(body), text: body };
  }

  async post(url: string, json: unknown): Promise<Reply> {
    return this.postText(url, stringify(json) ?? '');
  }

  async postText(url: string, payload: string | Buffer, type = 'application/json'): Promise<Reply> {
    const { statusCode, body } = await this.app.inject({
      method: 'POST',
      url,
      payload,
      headers: { 'content-type': type },
    });
    return { status: statusCode, body: readJson(body), text: body };
  }

  broadcast(fields: Fields): Promise<Reply> {
    return this.post('/api/v1/transactions', fields);
  }

  /** Broadcasts the transaction, and makes the two blocks that confirm it. */
  async confirm({ fields, hash }: Signed): Promise<void> {
    expect(await this.broadcast(fields)).toMatchObject({ status: 202, body: { transaction_hash: hash } });
    this.blocks(2);
    expect((await this.get(`/api/v1/transactions/${hash}`)).body.status).toBe('confirmed');
  }

  blocks(count: number): void {
    for (let made = 0; made < count; made++) this.chain.produceBlock();
    expect(checkState(this.chain.store)).toEqual([]);
  }

  async fund(...wallets: Wallet[]): Promise<void> {
    for (const { hex } of wallets) expect((await this.post('/faucet', { address: hex })).status).toBe(200);
  }

  async balances({ hex }: Wallet): Promise<Balances> {
    return balancesOf((await this.get(`/api/v1/accounts/${hex}`)).body);
  }

  async tokenBalances({ hex }: Wallet, id: bigint): Promise<Balances> {
    const tokens = (await this.get(`/api/v1/accounts/${hex}/tokens`)).body.tokens as Fields[];
    return balancesOf(tokens.find(token => token.token_id === id) ?? {});
  }

  send(from: Wallet, to: Buffer, amount: bigint, changes: Partial<Draft> = {}): Signed {
    return this.sign(from, { type: 1n, recipient: to, body: u64(amount), ...changes });
  }

  transfer(from: Wallet, to: Buffer, id: bigint, amount: bigint, changes: Partial<Draft> = {}): Signed {
    return this.sign(from, {
      type: 11n,
      recipient: to,
      body: Buffer.concat([i64(id), i64(amount)]),
      ...changes,
    });
  }

  decide(from: Wallet, hash: string, approval: number, changes: Partial<Draft> = {}): Signed {
    const body = Buffer.concat([u32(approval), Buffer.from(hash, 'hex')]);
    return this.sign(from, { type: 4n, recipient: NO_ACCOUNT, body, ...changes });
  }

  sign(from: Wallet, changes: Pick<Draft, 'type' | 'recipient' | 'body'> & Partial<Draft>): Signed {
    const draft = {
      version: 1n,
      timestamp: this.timestamp,
      fee: FEE,
      sender: from.account,
      message: Buffer.alloc(0),
      ...changes,
    };
    return signDraft(draft, from, GENESIS);
  }
}

function balancesOf({ balance, spendable_balance, locked_balance }: Fields): Balances {
  return [balance, spendable_balance, locked_balance];
}

export function readJson(text: string): Fields {
  if (!text.startsWith('{')) return {};
  return parse(text, undefined, digits =>
    /^-?\d+$/.test(digits) ? BigInt(digits) : Number(digits),
  ) as Fields;
}

export { writeReleases } from '#devnet/node/development-data/releases.js';
