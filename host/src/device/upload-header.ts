import {
  decodeLinked,
  decodeTransaction,
  invalidInputError,
  type TokenDetails,
  type Transaction,
  WireWriter,
} from '@zbc-signer/chain';
import {
  HASH_LENGTH,
  MAX_ACCOUNT_INDEX,
  MAX_CHUNK,
  SIGN_TX_HEADER_LENGTH,
  TOKEN_DECIMALS_NOT_GIVEN,
} from '@zbc-signer/protocol/limits';
import { readBytes } from '../bytes.js';
import { copyContacts, encodeContacts, type TransactionContacts } from './contact.js';

const NOTHING = new Uint8Array(0);

/**
 * The arguments of SIGN_TX. `linked` is required for an escrow approval and not allowed for other types: the
 * escrowed transaction, followed by its signature.
 */
export interface SignTransactionRequest {
  /** Index of the account, 0 to 2^31 - 1. */
  account: number;
  /** Genesis hash of 32 bytes. */
  genesisHash: Uint8Array;
  /** Unsigned bytes of the transaction. */
  transaction: Uint8Array;
  linked?: Uint8Array | undefined;
  /** 32 bytes; if the account has another key, the error is `PUBLIC_KEY_MISMATCH`. Default: any key. */
  expectedPublicKey?: Uint8Array | undefined;
  token?: TokenDetails | undefined;
  /** Names that the device shows with their accounts. A wrong proof is refused with `CONTACT_PROOF`. Default: none. */
  contacts?: TransactionContacts | undefined;
}

/**
 * Copies a request, because the caller may change its arrays while a call waits. Throws `INVALID_INPUT` if a
 * field is not bytes, and `CONTACT_NAME` or `ACCOUNT_…` for a contact.
 */
export function copyRequest(request: SignTransactionRequest): SignTransactionRequest {
  const { account, linked, expectedPublicKey, token, ...needed } = Object(request) as SignTransactionRequest;
  const contacts = copyContacts(needed.contacts);
  return {
    account,
    genesisHash: readBytes('genesisHash', needed.genesisHash),
    transaction: readBytes('transaction', needed.transaction),
    ...(linked !== undefined && { linked: readBytes('linked', linked) }),
    ...(expectedPublicKey !== undefined && {
      expectedPublicKey: readBytes('expectedPublicKey', expectedPublicKey),
    }),
    ...(token && { token: { ...token } }),
    ...(contacts && { contacts }),
  };
}

/** Decodes the transaction and the escrowed transaction of a request. Throws TransactionError. */
export function decodeRequest({ transaction, linked }: SignTransactionRequest): {
  transaction: Transaction;
  linked: Transaction | undefined;
} {
  return {
    transaction: decodeTransaction(transaction),
    linked: linked?.length ? decodeLinked(linked).transaction : undefined,
  };
}

/** Encodes an account index as a u32. It must be from 0 to 2^31 - 1, because a device refuses any other. */
export function encodeAccountIndex(account: number): Uint8Array {
  if (!Number.isInteger(account) || account < 0 || account > MAX_ACCOUNT_INDEX) {
    throw invalidInputError(
      `an account index is a whole number from 0 to ${MAX_ACCOUNT_INDEX}, not ${account}`,
    );
  }
  return new WireWriter().u32(account).finish();
}

/** The header of SIGN_TX (docs/APDU.md). A commitment has 32 bytes. */
export function encodeSignTransactionHeader(
  request: SignTransactionRequest,
  commitment: Uint8Array = NOTHING,
): Uint8Array {
  if (request.genesisHash.length !== HASH_LENGTH) {
    throw invalidInputError(`a genesis hash is ${HASH_LENGTH} bytes, not ${request.genesisHash.length}`);
  }
  const tail = request.token === undefined ? NOTHING : encodeToken(request.token);
  return new WireWriter()
    .bytes(encodeAccountIndex(request.account))
    .bytes(request.genesisHash)
    .u32(request.transaction.length)
    .u32(request.linked?.length ?? 0)
    .bytes(encodeContacts(request.contacts))
    .bytes(commitment)
    .bytes(tail)
    .finish();
}

/** The header of SIGN_MESSAGE (docs/APDU.md). A commitment has 32 bytes. */
export function encodeSignMessageHeader(
  account: number,
  message: Uint8Array,
  commitment: Uint8Array = NOTHING,
): Uint8Array {
  return new WireWriter().bytes(encodeAccountIndex(account)).u32(message.length).bytes(commitment).finish();
}

function encodeToken({ decimals = TOKEN_DECIMALS_NOT_GIVEN, symbol = '' }: TokenDetails): Uint8Array {
  const letters = new TextEncoder().encode(symbol);
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > TOKEN_DECIMALS_NOT_GIVEN) {
    throw invalidInputError(`token decimals must be a whole number from 0 to 8, not ${decimals}`);
  }
  if (letters.length > MAX_CHUNK - SIGN_TX_HEADER_LENGTH - 2) {
    throw invalidInputError(`a token symbol has at most 12 characters, not ${letters.length}`);
  }
  return Uint8Array.of(decimals, letters.length, ...letters);
}
