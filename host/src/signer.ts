import { concatBytes } from '@noble/hashes/utils.js';
import { signingDigest, transactionHash, verify } from '../../chain/src/index.js';
import {
  CLA_ECOSYSTEM,
  CLA_SIGNER,
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_CONFIRM,
  P1_SILENT,
} from '../../protocol/commands.js';
import { HASH, SIGNATURE } from '../../protocol/limits.js';
import { Connection } from './connection.js';
import { InvalidSignatureError, TransactionHashMismatchError } from './errors.js';
import { ExchangeQueue } from './exchange-queue.js';
import {
  type AppName,
  type DevicePublicKey,
  expectLength,
  parseAppName,
  parsePublicKey,
  parseVersion,
  type SignerVersion,
} from './replies.js';
import type { Transport } from './transport/transport.js';
import {
  encodeAccountIndex,
  encodeSignMessageHeader,
  encodeSignTransactionHeader,
  type SignTransactionRequest,
} from './upload-header.js';

export interface CallOptions {
  /** Rejects the call with AbortedError at once; a review ends as the transport drops its connection to the device. */
  signal?: AbortSignal | undefined;
}

export interface GetPublicKeyOptions extends CallOptions {
  /** Shows the address on the device, for the person to compare and to approve or reject. */
  confirm?: boolean | undefined;
}

export interface SignedTransaction {
  signature: Uint8Array;
  transactionHash: Uint8Array;
}

export interface SignedMessage {
  signature: Uint8Array;
}

const NOTHING = new Uint8Array(0);
const COMMAND = { noun: 'command' } as const;

/**
 * A signer behind a transport. Calls may overlap: each waits for the one before. None has a time limit, since a person
 * may be reading. Every failure is a SignerError; what the device signs is verified before it is handed out.
 */
export class Signer {
  readonly #connection: Connection;
  readonly #queue = new ExchangeQueue();

  constructor(transport: Transport) {
    this.#connection = new Connection(transport);
  }

  /** Throws WrongAppError when the device runs another app. */
  getAppName({ signal }: CallOptions = {}): Promise<AppName> {
    const command = { cla: CLA_ECOSYSTEM, ins: INS_GET_APP_NAME, p1: 0, data: NOTHING };
    const call = { subject: COMMAND, signal };
    return this.#queue.run(async () => parseAppName(await this.#connection.send(command, call)), signal);
  }

  getVersion({ signal }: CallOptions = {}): Promise<SignerVersion> {
    const command = { cla: CLA_SIGNER, ins: INS_GET_APP_VERSION, p1: 0, data: NOTHING };
    const call = { subject: COMMAND, signal };
    return this.#queue.run(async () => parseVersion(await this.#connection.send(command, call)), signal);
  }

  /** The address is the one that belongs to the key, or the call throws; the index is 0 to 2^31 - 1. */
  getPublicKey(
    account: number,
    { confirm = false, signal }: GetPublicKeyOptions = {},
  ): Promise<DevicePublicKey> {
    return this.#queue.run(() => this.#publicKey(account, confirm ? P1_CONFIRM : P1_SILENT, signal), signal);
  }

  /** Throws InvalidSignatureError or TransactionHashMismatchError rather than hand out what does not belong to the bytes sent. */
  signTransaction(request: SignTransactionRequest, { signal }: CallOptions = {}): Promise<SignedTransaction> {
    // A copy, so that what is checked is what was sent, whatever the caller does meanwhile.
    const copy = {
      ...request,
      genesisHash: Uint8Array.from(request.genesisHash),
      transaction: Uint8Array.from(request.transaction),
      linked: Uint8Array.from(request.linked ?? NOTHING),
    };
    return this.#queue.run(() => this.#signTransaction(copy, signal), signal);
  }

  /** Raw Ed25519 over 1 to 2048 bytes of text, never exactly 32 (signer-protocol §1.3). */
  signMessage(account: number, message: Uint8Array, { signal }: CallOptions = {}): Promise<SignedMessage> {
    const copy = Uint8Array.from(message);
    return this.#queue.run(() => this.#signMessage(account, copy, signal), signal);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #publicKey(account: number, p1: number, signal: AbortSignal | undefined): Promise<DevicePublicKey> {
    const command = { cla: CLA_SIGNER, ins: INS_GET_PUBLIC_KEY, p1, data: encodeAccountIndex(account) };
    return parsePublicKey(await this.#connection.send(command, { subject: COMMAND, signal }));
  }

  async #signTransaction(
    request: SignTransactionRequest & { linked: Uint8Array },
    signal: AbortSignal | undefined,
  ): Promise<SignedTransaction> {
    const { account, transaction, linked } = request;
    const header = encodeSignTransactionHeader(request);
    const { publicKey } = await this.#publicKey(account, P1_SILENT, signal);
    const upload = { ins: INS_SIGN_TX, header, data: concatBytes(transaction, linked) };
    const subject = { noun: 'transaction', transaction, linked } as const;
    return checkResult(await this.#connection.upload(upload, { subject, signal }), request, publicKey);
  }

  async #signMessage(
    account: number,
    message: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<SignedMessage> {
    const header = encodeSignMessageHeader(account, message);
    const { publicKey } = await this.#publicKey(account, P1_SILENT, signal);
    const upload = { ins: INS_SIGN_MESSAGE, header, data: message };
    const subject = { noun: 'message', message } as const;
    const signature = await this.#connection.upload(upload, { subject, signal });
    expectLength(signature, SIGNATURE, 'a signature');
    checkSignature(signature, message, publicKey);
    return { signature };
  }
}

function checkResult(
  result: Uint8Array,
  { genesisHash, transaction }: SignTransactionRequest,
  publicKey: Uint8Array,
): SignedTransaction {
  expectLength(result, SIGNATURE + HASH, 'a signature and a hash');
  const signature = result.slice(0, SIGNATURE);
  checkSignature(signature, signingDigest(genesisHash, transaction), publicKey);
  const hash = transactionHash(transaction, signature);
  if (!hash.every((byte, at) => byte === result[SIGNATURE + at])) {
    throw new TransactionHashMismatchError();
  }
  return { signature, transactionHash: hash };
}

function checkSignature(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void {
  if (!verify(signature, message, publicKey)) {
    throw new InvalidSignatureError();
  }
}
