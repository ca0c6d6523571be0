import {
  encodeTransaction,
  NO_ACCOUNT,
  parseAccount,
  parseJson,
  toHex,
  transactionHash,
} from '@zbc-signer/chain';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { OTHER, OWN } from '../gateway/chain-answers.js';

export const GENESIS = 'cd'.repeat(32);
/** Height of the chain before the block that contains all transfers. */
const HEIGHT = 7;
const NOT_FOUND = { success: false, error: 'not found', code: 404 };

/** A chain in memory that confirms each transfer immediately. `fetch` answers like a gateway. */
export class ModelChain {
  /** Amounts of the confirmed transfers by hash, in lower-case hex. */
  readonly confirmed = new Map<string, bigint>();
  /** Fees of the confirmed transfers. */
  readonly fees: bigint[] = [];
  /**
   * Number of the next broadcasts that are lost before they reach the chain, or of which only the answer is
   * lost.
   */
  lostRequests = 0;
  lostAnswers = 0;

  answer(path: string, body: string | undefined): Response {
    const route = path.replace(/\?.*/, '');
    if (body !== undefined) return this.#broadcast(body);
    const [, status] = /^\/api\/v1\/transactions\/([0-9a-f]{64})\/status$/.exec(route) ?? [];
    if (status !== undefined) {
      return this.confirmed.has(status)
        ? json({ status: 'confirmed', block_height: HEIGHT + 1 })
        : json(NOT_FOUND, 404);
    }
    switch (route) {
      case '/api/v1/node/info':
        return json({ genesis_hash: GENESIS, signing_version: 2, signing_tag: 'ZBC-TX', height: HEIGHT });
      case '/api/v1/blockchain/status':
        return json({ height: HEIGHT + Math.min(this.confirmed.size, 1) });
      case '/api/v1/blockchain/estimate-fee':
        return json({ minimum_fee: 2_500_000, timestamp: Math.floor(Date.now() / 1000) });
      case `/api/v1/accounts/${OWN}`:
        return json({ balance: 10 ** 12, spendable_balance: 10 ** 12 });
      case `/api/v1/accounts/${OWN}/tokens`:
      case '/api/v1/tokens':
        return json({ tokens: [] });
      case '/api/v1/transactions':
        return json({ transactions: [] });
      default:
        return json(NOT_FOUND, 404);
    }
  }

  #broadcast(body: string): Response {
    if (this.lostRequests > 0) {
      this.lostRequests -= 1;
      throw new TypeError('fetch failed');
    }
    const { transaction_body_bytes: hex, ...fields } = parseJson(body) as Record<string, string> &
      Record<'timestamp' | 'fee', bigint>;
    const amount = Buffer.from(hex!, 'hex').readBigUInt64LE();
    const unsigned = encodeTransaction({
      type: SEND_ZBC,
      timestamp: fields.timestamp,
      sender: parseAccount(OWN),
      recipient: fields.recipient_account_address === undefined ? NO_ACCOUNT : parseAccount(OTHER),
      fee: fields.fee,
      message: new Uint8Array(0),
      amount,
    });
    const hash = toHex(transactionHash(unsigned, Buffer.from(fields.signature!, 'hex')));
    const duplicate = this.confirmed.has(hash);
    this.confirmed.set(hash, amount);
    this.fees.push(fields.fee);
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1;
      throw new TypeError('fetch failed');
    }
    return json({ status: 'success', duplicate, transaction_hash: hash }, 202);
  }
}

function json(value: object, status = 200): Response {
  return Response.json(value, { status });
}
