import type { Transaction } from '../../../chain/src/index.js';
import { Answer, readList } from './answer.js';
import { broadcastRequest } from './broadcast.js';
import { GatewayHttp, type GatewayOptions, type RequestOptions } from './http.js';
import { writeJson } from './json.js';
import { type NodeAddress, nodeUrl } from './node-hostname.js';
import { type Block, readBlock } from './records/block.js';
import {
  type Market,
  type Offer,
  type OrderBook,
  readMarket,
  readOffers,
  readOrderBook,
} from './records/exchange.js';
import {
  type AllowlistEntry,
  type GatewayStatus,
  type RelayInfo,
  readAllowlist,
  readGatewayStatus,
  readRelayInfo,
  readSystemStats,
  type SystemStats,
} from './records/gateway.js';
import {
  type Balance,
  readBalance,
  readToken,
  readTokenBalances,
  readTokens,
  type Token,
  type TokenBalance,
} from './records/holdings.js';
import { type Movement, readMovement } from './records/movement.js';
import {
  type BlockchainStatus,
  type FeeEstimate,
  type NodeInfo,
  readBlockchainStatus,
  readFeeEstimate,
  readNodeInfo,
} from './records/node.js';
import { type RegistryEntry, type RegistryKind, readRegistry } from './records/registry.js';
import {
  type Release,
  readRelease,
  readReleases,
  readVerification,
  type Verification,
} from './records/release.js';
import {
  type BroadcastReceipt,
  type ListedTransaction,
  readListedTransaction,
  readReceipt,
  readStatus,
  type TransactionStatus,
} from './records/transaction.js';
import { readStoredTransaction, type StoredTransaction } from './stored-transaction.js';

const TRANSACTIONS = '/api/v1/transactions';

/**
 * The routes of a gateway (interface.md "Endpoints") with checked answers. Every method throws a GatewayError, or the reason of
 * an aborted signal; none retries. Addresses are `ZBC_` or wire hex, hashes lower hex.
 */
export class GatewayClient {
  readonly #http: GatewayHttp;
  readonly #options: GatewayOptions;

  constructor(baseUrl: string, options: GatewayOptions = {}) {
    this.#http = new GatewayHttp(baseUrl, options);
    this.#options = options;
  }

  get url(): string {
    return this.#http.url;
  }

  /** One node, asked through this gateway by a host name; undefined where a gateway has none, or for what is no address. */
  node(address: NodeAddress): GatewayClient | undefined {
    const url = nodeUrl(this.url, address);
    return url === undefined ? undefined : new GatewayClient(url, this.#options);
  }

  async nodeInfo(options?: RequestOptions): Promise<NodeInfo> {
    return readNodeInfo(await this.#read('/api/v1/node/info', options));
  }

  async blockchainStatus(options?: RequestOptions): Promise<BlockchainStatus> {
    return readBlockchainStatus(await this.#read('/api/v1/blockchain/status', options));
  }

  /** The newest block when no height is given; undefined for one that the chain does not have. */
  async block(height?: bigint, options?: RequestOptions): Promise<Block | undefined> {
    const answer = await this.#find(`/api/v1/blocks/${height ?? 'latest'}`, options);
    return answer && readBlock(answer);
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

  /** At most `limit`, newest first. */
  async recentTransactions(limit: number, options?: RequestOptions): Promise<ListedTransaction[]> {
    const route = `${TRANSACTIONS}?limit=${limit}`;
    const list = readList(route, await this.#http.get(route, options), 'transactions');
    return list.slice(0, limit).map(readListedTransaction);
  }

  /** What the chain itself changed: at most `limit`, newest first. */
  async movements(limit: number, options?: RequestOptions): Promise<Movement[]> {
    const route = `/api/v1/movements/latest?limit=${limit}`;
    const list = readList(route, await this.#http.get(route, options), 'movements');
    return list.slice(0, limit).map(readMovement);
  }

  async markets(options?: RequestOptions): Promise<Market[]> {
    const route = '/api/v1/exchange/markets';
    return readList(route, await this.#http.get(route, options), 'markets').map(readMarket);
  }

  /** Undefined for a market that the chain does not know. */
  async orderBook(marketId: bigint, options?: RequestOptions): Promise<OrderBook | undefined> {
    const answer = await this.#find(`/api/v1/exchange/orderbook?market=${marketId}`, options);
    return answer && readOrderBook(answer, marketId);
  }

  async offers(options?: RequestOptions): Promise<Offer[]> {
    const route = '/api/v1/exchange/offers';
    return readOffers(route, await this.#http.get(route, options));
  }

  /** What the chain publishes of the software, newest first. */
  async releases(options?: RequestOptions): Promise<Release[]> {
    const route = '/api/v1/release/list';
    return readReleases(route, await this.#http.get(route, options));
  }

  async registry(kind: RegistryKind, options?: RequestOptions): Promise<RegistryEntry[]> {
    const route = `/api/v1/registry/${kind}`;
    return readRegistry(route, await this.#http.get(route, options), kind);
  }

  async gatewayStatus(options?: RequestOptions): Promise<GatewayStatus> {
    return readGatewayStatus(await this.#read('/gateway/status', options));
  }

  async systemStats(options?: RequestOptions): Promise<SystemStats> {
    return readSystemStats(await this.#read('/gateway/system-stats', options));
  }

  /** The nodes that the gateway admits. */
  async allowlist(options?: RequestOptions): Promise<AllowlistEntry[]> {
    const route = '/gateway/allowlist';
    return readAllowlist(route, await this.#http.get(route, options));
  }

  /** Undefined when the gateway has no relay. */
  async relayInfo(options?: RequestOptions): Promise<RelayInfo | undefined> {
    const answer = await this.#find('/relay/info', options);
    return answer && readRelayInfo(answer);
  }

  /** Undefined when the gateway offers none. */
  async latestRelease(options?: RequestOptions): Promise<Release | undefined> {
    const answer = await this.#find('/releases/latest', options);
    return answer && readRelease(answer);
  }

  /** What the gateway says of a file's hash, 64 hex digits; `releases` are the chain's own words. */
  async verifyRelease(sha256: string, options?: RequestOptions): Promise<Verification> {
    return readVerification(await this.#read(`/verify?sha256=${sha256}`, options));
  }

  /** Coins for the account, on a development network only; `blockHeight` is that of the block in which they are. */
  async faucet(address: string, options?: RequestOptions): Promise<{ blockHeight?: bigint | undefined }> {
    const route = '/faucet';
    const answer = new Answer(route, await this.#http.post(route, writeJson({ address }), options));
    return { blockHeight: answer.optional('block_height', 'amount') };
  }

  async #read(route: string, options?: RequestOptions): Promise<Answer> {
    return new Answer(route, await this.#http.get(route, options));
  }

  async #find(route: string, options?: RequestOptions): Promise<Answer | undefined> {
    const json = await this.#http.find(route, options);
    return json === undefined ? undefined : new Answer(route, json);
  }
}
