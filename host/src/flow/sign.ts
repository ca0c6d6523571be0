import {
  accountFromPublicKey,
  cleanSymbol,
  decodeTransaction,
  encodeTransaction,
  type Transaction,
  toHex,
  transactionId,
} from '@zbc-signer/chain';
import { expectedReview } from '../expected-review.js';
import type { DevicePublicKey } from '../replies.js';
import { checkSigned } from '../signed-transaction.js';
import type { TokenDetails } from '../upload-header.js';
import type { Escrowed } from './escrowed.js';
import type { Holdings } from './holdings.js';
import type { Run } from './run.js';

/** The parts of a request to the signer. */
export interface SigningRequest {
  genesisHash: Uint8Array;
  transaction: Transaction;
  escrowed: Escrowed | undefined;
  token: TokenDetails | undefined;
}

/** A signed transaction; the hash in lower-case hex. */
export interface SignedTransfer {
  transaction: Transaction;
  signature: Uint8Array;
  transactionHash: string;
  transactionId: bigint;
}

/** Reports the expected review, has the signer sign, and verifies its result against its key. */
export async function signTransaction(
  run: Run,
  request: SigningRequest,
  { publicKey }: DevicePublicKey,
): Promise<SignedTransfer> {
  const { genesisHash, transaction, escrowed, token } = request;
  const unsigned = encodeTransaction(transaction);
  // Throws for anything a signer would refuse, before the user is asked.
  decodeTransaction(unsigned, accountFromPublicKey(publicKey));
  const subject = { genesisHash, transaction, linked: escrowed?.transaction, token };
  run.report({ step: 'review', items: expectedReview(subject), transaction });
  const signed = await run.signer.signTransaction(
    {
      account: run.account,
      genesisHash,
      transaction: Uint8Array.from(unsigned),
      expectedPublicKey: publicKey,
      ...(escrowed && { linked: escrowed.bytes }),
      ...(token && { token }),
    },
    run.request,
  );
  checkSigned(signed, { genesisHash, unsigned, publicKey });
  const hash = toHex(signed.transactionHash);
  run.report({ step: 'signed', transactionHash: hash });
  const { signature } = signed;
  return {
    transaction,
    signature,
    transactionHash: hash,
    transactionId: transactionId(signed.transactionHash),
  };
}

/** The token details that the device may show as reported by the app. */
export function describeToken({ token }: Holdings): TokenDetails | undefined {
  if (token === undefined) return undefined;
  const symbol = cleanSymbol(token.symbol);
  return { decimals: token.decimals, ...(symbol !== undefined && { symbol }) };
}
