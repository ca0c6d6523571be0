import { ConnectError } from './errors.js';

/** An account that the user has disclosed to the page. */
export interface ConnectAccount {
  address: string;
  /** 32 bytes in hex. */
  publicKey: string;
}

/** A text with the origin in it, and its Ed25519 signature. */
export interface SignedText extends ConnectAccount {
  text: string;
  /** 64 bytes in hex, over the bytes of the text. */
  signature: string;
}

/** Coins to pay. */
export interface AskedPayment {
  /** A `ZBC_` address. */
  to: string;
  /** In ZBC, such as `1.5`. */
  amount: string;
  /** Everybody can read it. */
  message?: string | undefined;
}

/** A payment that is in a block. */
export interface SentPayment {
  /** 32 bytes in hex. */
  transactionHash: string;
  blockHeight?: bigint | undefined;
}

/** A wallet that a page may ask; each call throws ConnectError. The user answers each call in the wallet. */
export interface ConnectWallet {
  /** The name to show to the page's user. */
  readonly name: string;
  /** The account that the user chooses for this page. */
  account(): Promise<ConnectAccount>;
  /** Signs a text of this page's origin, the nonce and the message; the default nonce is random. */
  signMessage(message: string, nonce?: string): Promise<SignedText>;
  /** Pays, and waits for a block. */
  send(payment: AskedPayment): Promise<SentPayment>;
}

/** A request that a page may send to the connect page. */
export type Asked =
  | { method: 'account' }
  | { method: 'sign'; message: string; nonce: string }
  | { method: 'send'; to: string; amount: string; message: string };

/** The connect page's answer, on the port that came with the request. */
export type ConnectAnswer = { value: unknown } | { error: Pick<ConnectError, 'code' | 'message' | 'sent'> };

/** The message by which the connect page announces to its opener, of any origin, that it listens. */
export const CONNECT_READY = 'zbc-signer connect 1';

const FIELDS = { account: [], sign: ['message', 'nonce'], send: ['to', 'amount', 'message'] } as const;
const MAX_FIELD = 2048;

/** Validates a page's untrusted request; throws ConnectError `INVALID_REQUEST`. */
export function readAsked(data: unknown): Asked {
  const method = String(Reflect.get(Object(data), 'method'));
  if (!Object.hasOwn(FIELDS, method)) throw new ConnectError('INVALID_REQUEST', 'no such request');
  const fields = FIELDS[method as Asked['method']].map(name => {
    const value: unknown = Reflect.get(Object(data), name);
    if (typeof value === 'string' && value.length <= MAX_FIELD) return [name, value] as const;
    throw new ConnectError('INVALID_REQUEST', `${name} is not a text of at most ${MAX_FIELD} characters`);
  });
  return { method, ...Object.fromEntries(fields) } as Asked;
}
