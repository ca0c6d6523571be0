import { ConnectError } from './errors.js';

/** An account that the user has disclosed to the page. */
export interface ConnectAccount {
  address: string;
  /** 32 bytes in hex. */
  publicKey: string;
}

/** A text that contains the origin of the page, and the Ed25519 signature of the text. */
export interface SignedText extends ConnectAccount {
  text: string;
  /** 64 bytes in hex, over the bytes of the text. */
  signature: string;
}

/** A payment of coins that a page requests. */
export interface AskedPayment {
  /** A `ZBC_` address. */
  to: string;
  /** The amount in ZBC, such as `1.5`. */
  amount: string;
  /** A message on the chain, which everybody can read. */
  message?: string | undefined;
}

/** A payment that is in a block. */
export interface SentPayment {
  /** 32 bytes in hex. */
  transactionHash: string;
  blockHeight?: bigint | undefined;
}

/**
 * A wallet that a page may ask. The user answers each call in the wallet. If a call fails, it throws
 * ConnectError.
 */
export interface ConnectWallet {
  /** The name to show to the page's user. */
  readonly name: string;
  /** The account that the user chooses for this page. */
  account(): Promise<ConnectAccount>;
  /** Signs a text with this page's origin, the nonce and the message. The default nonce is random. */
  signMessage(message: string, nonce?: string): Promise<SignedText>;
  /** Sends a payment, and waits until a block has it. */
  send(payment: AskedPayment): Promise<SentPayment>;
}

/** A request that a page may send to the connect page. */
export type Asked =
  | { method: 'account' }
  | { method: 'sign'; message: string; nonce: string }
  | { method: 'send'; to: string; amount: string; message: string };

/** The connect page's answer, on the port that arrived with the request. */
export type ConnectAnswer = { value: unknown } | { error: Pick<ConnectError, 'code' | 'message' | 'sent'> };

/** The message by which the connect page tells the page that opened it, of any origin, that it listens. */
export const CONNECT_READY = 'zbc-signer connect 1';

const FIELDS = { account: [], sign: ['message', 'nonce'], send: ['to', 'amount', 'message'] } as const;
const MAX_FIELD = 2048;

/** Validates the untrusted request of a page; throws ConnectError `INVALID_REQUEST`. */
export function readAsked(data: unknown): Asked {
  const method = String(Reflect.get(Object(data), 'method'));
  if (!Object.hasOwn(FIELDS, method)) throw new ConnectError('INVALID_REQUEST', 'unknown request');
  const fields = FIELDS[method as Asked['method']].map(name => {
    const value: unknown = Reflect.get(Object(data), name);
    if (typeof value === 'string' && value.length <= MAX_FIELD) return [name, value] as const;
    throw new ConnectError('INVALID_REQUEST', `${name} is not a text of at most ${MAX_FIELD} characters`);
  });
  return { method, ...Object.fromEntries(fields) } as Asked;
}
