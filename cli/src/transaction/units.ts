import { cleanText, formatCoinAmount, formatUnits } from '@zbc-signer/chain';
import { type GatewayClient, type RetryingReader, retryRead, type Token } from '@zbc-signer/host';

/** The coin's token id; the chain does not list it among the tokens. */
const COIN = 0n;
const MAX_SYMBOL = 12;

/**
 * Formats amounts in units of their tokens. Also prints the id of a token, because its symbol is not unique.
 */
export class Units {
  readonly #tokens: ReadonlyMap<bigint, Token>;

  constructor(tokens: readonly Token[]) {
    this.#tokens = new Map(tokens.map(token => [token.id, token]));
  }

  /** Requests the list of tokens, unless all ids are that of the coin. */
  static async read(
    gateway: GatewayClient,
    reader: RetryingReader,
    tokenIds: readonly bigint[],
  ): Promise<Units> {
    const needed = tokenIds.some(id => id !== COIN);
    return new Units(needed ? await retryRead(reader, request => gateway.tokens(request)) : []);
  }

  /**
   * Formats as `1.5 ZBC`, `2.5 AMBER (token 1)`, or the atomic units of a token that the chain does not list.
   */
  format(tokenId: bigint, amountAtoms: bigint): string {
    if (tokenId === COIN) return formatCoinAmount(amountAtoms);
    const token = this.#tokens.get(tokenId);
    if (token === undefined) return `${amountAtoms} atomic units of token ${tokenId}`;
    const { symbol, decimals } = token;
    const name =
      symbol === undefined ? `token ${tokenId}` : `${cleanText(symbol, MAX_SYMBOL)} (token ${tokenId})`;
    return `${formatUnits(amountAtoms, decimals)} ${name}`;
  }
}
