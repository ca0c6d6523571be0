import { decodeLinked, decodeTransaction, type ReviewItem } from '@zbc-signer/chain';
import { expectedReview, formatText } from '../expected-review.js';
import type { SignTransactionRequest } from '../upload-header.js';

/**
 * The expected review of the request; empty if the bytes cannot be decoded, because the device refuses them.
 */
export function transactionReview(request: SignTransactionRequest): ReviewItem[] {
  const { genesisHash, token } = request;
  try {
    const transaction = decodeTransaction(request.transaction);
    const linked = request.linked?.length ? decodeLinked(request.linked).transaction : undefined;
    return expectedReview({ genesisHash, transaction, linked, token });
  } catch {
    return [];
  }
}

export function addressReview(address: string): ReviewItem[] {
  return [['Address', address]];
}

export function messageReview(address: string, message: Uint8Array): ReviewItem[] {
  return [
    ['Account', address],
    ['Message', formatText(message)],
  ];
}
