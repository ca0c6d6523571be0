import { formatAccount, type ReviewItem } from '@zbc-signer/chain';
import { networkName } from '../../networks.js';
import type { NewContact } from '../contact.js';
import { expectedReview, formatText } from '../expected-review.js';
import { decodeRequest, type SignTransactionRequest } from '../upload-header.js';

/**
 * The expected review of the request; empty if the bytes cannot be decoded, because the device refuses them.
 */
export function transactionReview(request: SignTransactionRequest): ReviewItem[] {
  const { genesisHash, token, contacts } = request;
  try {
    return expectedReview({ genesisHash, ...decodeRequest(request), token, contacts });
  } catch {
    return [];
  }
}

/** The items that the signer must show when a contact is registered, for the user to compare. */
export function contactReview({ name, genesisHash, account }: NewContact): ReviewItem[] {
  return [
    ['New contact', name],
    ['Network', networkName(genesisHash)],
    ['Address', formatAccount(account)],
  ];
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
