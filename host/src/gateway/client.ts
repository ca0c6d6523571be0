import { formatJson, parseAccount, type Transaction, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { readBytes } from '../bytes.js';
import { throwIfAborted } from '../cancellation.js';
import { Answer, readList } from './answer.js';
import { broadcastRequest } from './broadcast.js';
import { GatewayMalformedError, mayHaveLeft } from './errors.js';
import { type AnswerSize, FallbackHttp, type GatewayOptions, type RequestOptions } from './http.js';
import { type NodeAddress, nodeUrl } from './node-hostname.js';
import { type Block, type BlockTransaction, readBlock, readBlockTransaction } from './records/block.js';
import { type GatewayStatus, readGatewayStatus } from './records/gateway-status.js';
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
  NODE_INFO,
  type NodeInfo,
  readBlockchainStatus,
  readFeeEstimate,
  readNodeInfo,
} from './records/node.js';
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

function statusRoute(hash: Uint8Array): string {
  return `${TRANSACTIONS}/${toHex(readBytes('hash', hash))}/status`;
}

/** Checks that an answer is about the account with this address. An invalid address is the gateway's to refuse. */
function aboutAccount(answer: Answer, address: string): Answer {
  let asked: unknown;
  try {
    asked = parseAccount(address);
  } catch {
    return answer;
  }
  return answer.repeating('address', 'account', asked).repeating('account_hex', 'account', asked);
}

/**
 * The routes of a gateway, with validated answers. If a method fails, it throws a GatewayError or, after an
 * abort, an AbortedError. No method retries. ExplorerClient has the routes that a wallet does not need.
 * Addresses are `ZBC_` addresses or the wire form in hex; hashes are 32 bytes.
 */
export class GatewayClient {
  protected readonly http: FallbackHttp;
  readonly #options: GatewayOptions;

  /** Several URLs are gateways of one chain, of which each is trusted like the first (docs/WALLET.md#failover). */
  constructor(baseUrl: string | readonly string[], options: GatewayOptions = {}) {
    bindMembers(this);
    this.http = new FallbackHttp(Array.isArray(baseUrl) ? baseUrl : [baseUrl], options);
    this.#options = options;
  }

  /** The base URL that is asked first, without a slash at the end: that of the gateway that answered last. */
  get url(): string {
    return this.http.url;
  }

  /** All base URLs. */
  get urls(): string[] {
    return this.http.urls;
  }

  /** A client for each URL, which does not ask another one instead. */
  get each(): GatewayClient[] {
    return this.urls.map(url => new GatewayClient(url, this.#options));
  }

  /**
   * A client for one node by its host name under this gateway; undefined if the gateway has no host names or
   * the address is invalid.
   */
  node(address: NodeAddress): GatewayClient | undefined {
    const url = nodeUrl(this.url, address);
    return url === undefined ? undefined : new GatewayClient(url, this.#options);
  }

  /** Genesis hash, height and signing rules of the chain. */
  async nodeInfo(options?: RequestOptions): Promise<NodeInfo> {
    return readNodeInfo(await this.read(NODE_INFO, options));
  }

  /** The height of the newest block in this gateway's reads. */
  async blockchainStatus(options?: RequestOptions): Promise<BlockchainStatus> {
    return readBlockchainStatus(await this.read('/api/v1/blockchain/status', options));
  }

  /** The balance; undefined if the chain does not know the account. */
  async account(address: string, options?: RequestOptions): Promise<Balance | undefined> {
    const answer = await this.find(`/api/v1/accounts/${encodeURIComponent(address)}`, options);
    return answer && readBalance(aboutAccount(answer, address));
  }

  /** The tokens of an account; empty if the chain does not know the account. */
  async accountTokens(address: string, options?: RequestOptions): Promise<TokenBalance[]> {
    const route = `/api/v1/accounts/${encodeURIComponent(address)}/tokens`;
    const json = await this.http.find(route, options, 'large');
    if (json === undefined) return [];
    if (!Array.isArray(json)) aboutAccount(new Answer(route, json), address);
    return readTokenBalances(route, json);
  }

  /** The token; undefined if the chain does not know it. */
  async token(id: bigint, options?: RequestOptions): Promise<Token | undefined> {
    const answer = await this.find(`/api/v1/tokens/${id}`, options);
    return answer && readToken(answer.repeating('token_id', 'integer', id));
  }

  /** Every token that the chain lists. */
  async tokens(options?: RequestOptions): Promise<Token[]> {
    const route = '/api/v1/tokens';
    return readTokens(route, await this.http.get(route, options, 'large'));
  }

  /** The minimum fee of a transaction; `bodyLength` is the length of its field 8, the body, in bytes. */
  async estimateFee(type: number, bodyLength: number, options?: RequestOptions): Promise<FeeEstimate> {
    const route = `/api/v1/blockchain/estimate-fee?type=${type}&body_length=${bodyLength}`;
    return readFeeEstimate(await this.read(route, options));
  }

  /**
   * Broadcasts a transaction once; `sendTransaction` retries. An error has `facts.sent`: `no` if no byte of
   * the request has left this host, otherwise `maybe`.
   */
  async broadcast(
    transaction: Transaction,
    signature: Uint8Array,
    options?: RequestOptions,
  ): Promise<BroadcastReceipt> {
    const request = formatJson(broadcastRequest(transaction, signature));
    throwIfAborted(options?.signal);
    try {
      return readReceipt(new Answer(TRANSACTIONS, await this.http.post(TRANSACTIONS, request, options)));
    } catch (error) {
      if (error instanceof ZbcSignerError) {
        error.facts = { ...error.facts, sent: mayHaveLeft(error) ? 'maybe' : 'no' };
      }
      throw error;
    }
  }

  /** The status; undefined if the chain does not know the hash. */
  async transactionStatus(
    hash: Uint8Array,
    options?: RequestOptions,
  ): Promise<TransactionStatus | undefined> {
    const answer = await this.find(statusRoute(hash), options);
    return answer && readStatus(answer, hash);
  }

  /**
   * The transaction, rebuilt from the fields of the answer; undefined if the chain does not know the hash.
   * The caller must check that the rebuilt transaction has the hash.
   */
  async storedTransaction(
    hash: Uint8Array,
    options?: RequestOptions,
  ): Promise<StoredTransaction | undefined> {
    const answer = await this.find(`${TRANSACTIONS}/${toHex(readBytes('hash', hash))}`, options);
    return answer && readStoredTransaction(answer.repeating('transaction_hash', 'hash', hash));
  }

  /** At most `limit` transactions, newest first. */
  async recentTransactions(limit: number, options?: RequestOptions): Promise<ListedTransaction[]> {
    const route = `${TRANSACTIONS}?limit=${limit}`;
    const list = readList(route, await this.http.get(route, options, 'large'), 'transactions');
    return list.slice(0, limit).map(readListedTransaction);
  }

  /** The blocks from height `from` upwards: at most `limit`, or fewer if the blocks are large. */
  async blocks(from: bigint, limit: number, options?: RequestOptions): Promise<Block[]> {
    const route = `/api/v1/blocks?from=${from}&limit=${limit}`;
    const blocks = readList(route, await this.http.get(route, options, 'large'), 'blocks').map(readBlock);
    if (blocks.length > limit || blocks.some(({ height }, at) => height !== from + BigInt(at))) {
      throw new GatewayMalformedError(route, 'the blocks are not those of the heights requested');
    }
    return blocks;
  }

  /** The transaction; undefined if the chain does not know the hash. */
  async transaction(hash: Uint8Array, options?: RequestOptions): Promise<BlockTransaction | undefined> {
    const answer = await this.find(`${TRANSACTIONS}/${toHex(hash)}`, options, 'large');
    return answer && readBlockTransaction(answer.repeating('transaction_hash', 'hash', hash));
  }

  /** The chain's own changes to accounts: at most `limit`, newest first. */
  async movements(limit: number, options?: RequestOptions): Promise<Movement[]> {
    const route = `/api/v1/movements/latest?limit=${limit}`;
    const list = readList(route, await this.http.get(route, options, 'large'), 'movements');
    return list.slice(0, limit).map(readMovement);
  }

  /** The gateway's status, with its nodes and whether each node answers. */
  async gatewayStatus(options?: RequestOptions): Promise<GatewayStatus> {
    return readGatewayStatus(await this.read('/gateway/status', options, 'large'));
  }

  /** Requests coins on a development network. `blockHeight` is the height of the block with the payment. */
  async faucet(address: string, options?: RequestOptions): Promise<{ blockHeight: bigint }> {
    const route = '/faucet';
    const answer = new Answer(route, await this.http.post(route, formatJson({ address }), options));
    return { blockHeight: answer.amount('block_height') };
  }

  /** Reads a route whose answer is an object. */
  protected async read(route: string, options?: RequestOptions, size?: AnswerSize): Promise<Answer> {
    return new Answer(route, await this.http.get(route, options, size));
  }

  /** Like `read`; undefined for a 404 with the error body of the chain API. */
  protected async find(
    route: string,
    options?: RequestOptions,
    size?: AnswerSize,
  ): Promise<Answer | undefined> {
    const json = await this.http.find(route, options, size);
    return json === undefined ? undefined : new Answer(route, json);
  }
}
