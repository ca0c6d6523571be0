import type { Transaction } from '../../../chain/src/index.js';
import { Answer } from './answer.js';
import { broadcastRequest } from './broadcast.js';
import { GatewayHttp, type GatewayOptions, type RequestOptions } from './http.js';
import { writeJson } from './json.js';
import {
  type Balance,
  type BlockchainStatus,
  type BroadcastReceipt,
  type FeeEstimate,
  type NodeInfo,
  readBalance,
  readBlockchainStatus,
  readFeeEstimate,
  readNodeInfo,
  readReceipt,
  readStatus,
  readToken,
  readTokenBalances,
  readTokens,
  type Token,
  type TokenBalance,
  type TransactionStatus,
} from './records.js';
import { readStoredTransaction, type StoredTransaction } from './stored-transaction.js';

const TRANSACTIONS = '/api/v1/transactions';

/**
 * The chain's routes (interface.md "Endpoints") with checked answers. Every method throws a GatewayError, or the reason of
 * an aborted signal; none retries. Addresses are `ZBC_` or wire hex, hashes lower hex.
 */
export class GatewayClient {
  readonly #http: GatewayHttp;

  constructor(baseUrl: string, options?: GatewayOptions) {
    this.#http = new GatewayHttp(baseUrl, options);
  }

  get url(): string {
    return this.#http.url;
  }

  async nodeInfo(options?: RequestOptions): Promise<NodeInfo> {
    return readNodeInfo(await this.#read('/api/v1/node/info', options));
  }

  async blockchainStatus(options?: RequestOptions): Promise<BlockchainStatus> {
    return readBlockchainStatus(await this.#read('/api/v1/blockchain/status', options));
  }

  /** Undefined for an account that the chain does not know. */
  async account(address: string, options?: RequestOptions): Promise<Balance | undefined> {
    const answer = await this.#find(`/api/v1/accounts/${encodeURIComponent(address)}`, options);
    return answer && readBalance(answer);
  }

  /** Empty for an account that the chain does not know. */
  async accountTokens(address: string, options?: RequestOptions): Promise<TokenBalance[]> {
    const route = `/api/v1/accounts/${encodeURIComponent(address)}/tokens`;
    const json = await this.#http.find(route, options);
    return json === undefined ? [] : readTokenBalances(route, json);
  }

  /** Undefined for a token that the chain does not know. */
  async token(id: bigint, options?: RequestOptions): Promise<Token | undefined> {
    const answer = await this.#find(`/api/v1/tokens/${id}`, options);
    return answer && readToken(answer);
  }

  async tokens(options?: RequestOptions): Promise<Token[]> {
    const route = '/api/v1/tokens';
    return readTokens(route, await this.#http.get(route, options));
  }

  /** `bodyLength` is that of field 8, in bytes. */
  async estimateFee(type: number, bodyLength: number, options?: RequestOptions): Promise<FeeEstimate> {
    const route = `/api/v1/blockchain/estimate-fee?type=${type}&body_length=${bodyLength}`;
    return readFeeEstimate(await this.#read(route, options));
  }

  /** Sends once; whether a failed broadcast may be sent again is for `submitTransaction` to decide. */
  async broadcast(
    transaction: Transaction,
    signature: Uint8Array,
    options?: RequestOptions,
  ): Promise<BroadcastReceipt> {
    const request = writeJson(broadcastRequest(transaction, signature));
    return readReceipt(new Answer(TRANSACTIONS, await this.#http.post(TRANSACTIONS, request, options)));
  }

  /** Undefined for a hash that the chain does not know. */
  async transactionStatus(hash: string, options?: RequestOptions): Promise<TransactionStatus | undefined> {
    const answer = await this.#find(`${TRANSACTIONS}/${hash}/status`, options);
    return answer && readStatus(answer, hash);
  }

  /** Undefined for a hash that the chain does not know; the bytes are rebuilt and their hash is not yet checked. */
  async storedTransaction(hash: string, options?: RequestOptions): Promise<StoredTransaction | undefined> {
    const answer = await this.#find(`${TRANSACTIONS}/${hash}`, options);
    return answer && readStoredTransaction(answer);
  }

  /** At most `limit`, newest first; shapes are not checked, since interface.md does not show them. */
  async recentTransactions(limit: number, options?: RequestOptions): Promise<unknown> {
    return this.#http.get(`${TRANSACTIONS}?limit=${limit}`, options);
  }

  /** Coins for the account, on a development network only. */
  async faucet(address: string, options?: RequestOptions): Promise<void> {
    await this.#http.post('/faucet', writeJson({ address }), options);
  }

  async #read(route: string, options?: RequestOptions): Promise<Answer> {
    return new Answer(route, await this.#http.get(route, options));
  }

  async #find(route: string, options?: RequestOptions): Promise<Answer | undefined> {
    const json = await this.#http.find(route, options);
    return json === undefined ? undefined : new Answer(route, json);
  }
}
