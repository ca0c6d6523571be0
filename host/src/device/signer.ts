import { concatBytes } from '@noble/hashes/utils.js';
import {
  type Account,
  accountFromPublicKey,
  decodeTransaction,
  invalidInputError,
  sameAccount,
  signingDigest,
} from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import {
  CLA_ECOSYSTEM,
  CLA_SIGNER,
  INS_GET_APP_NAME,
  INS_GET_APP_VERSION,
  INS_GET_PUBLIC_KEY,
  INS_REGISTER_CONTACT,
  INS_SIGN_MESSAGE,
  INS_SIGN_TX,
  P1_CHECK,
  P1_CONFIRM,
  P1_REGISTER,
  P1_REVEAL,
  P1_SILENT,
  P2_COMMITMENT,
  P2_NONE,
} from '@zbc-signer/protocol/commands';
import {
  CONTACT_PROOF_LENGTH,
  HASH_LENGTH,
  MAX_SIGN_MESSAGE,
  NONCE_POINT_LENGTH,
  SIGNATURE_LENGTH,
} from '@zbc-signer/protocol/limits';
import {
  BAD_MESSAGE_LENGTH,
  MESSAGE_TOO_LONG,
  NOT_TEXT,
  SENDER_NOT_OWN,
} from '@zbc-signer/protocol/refusal-reasons';
import {
  BAD_STATE,
  INS_NOT_SUPPORTED,
  MALFORMED,
  SENDER_MISMATCH,
  TOO_LARGE,
  WRONG_P1P2,
} from '@zbc-signer/protocol/status-words';
import { readBytes } from '../bytes.js';
import { DeviceError, invalidReplyError } from '../errors.js';
import {
  type CaughtOptions,
  type CheckedNonce,
  type Contribution,
  type SigningOptions,
  signByOptions,
} from './committed-signing.js';
import { type Call, Connection, type Upload } from './connection.js';
import {
  type Contact,
  checkContactSigner,
  checkContacts,
  contactOptions,
  copyContact,
  encodeContact,
  type NewContact,
  readNewContact,
} from './contact.js';
import { ExchangeQueue } from './exchange-queue.js';
import type { Subject } from './refusal-detail.js';
import {
  type AppName,
  type DevicePublicKey,
  expectLength,
  parseAppName,
  parsePublicKey,
  parseVersion,
  type SignerVersion,
} from './replies.js';
import {
  checkPublicKey,
  checkSignature,
  checkSigned,
  type TransactionSignature,
} from './signed-transaction.js';
import { errorForStatus, notSupportedError } from './status-errors.js';
import type { Transport } from './transport/transport.js';
import {
  copyRequest,
  decodeRequest,
  encodeAccountIndex,
  encodeSignMessageHeader,
  encodeSignTransactionHeader,
  type SignTransactionRequest,
} from './upload-header.js';

/** Options of one call. */
export interface CallOptions {
  /** An abort rejects the call with AbortedError at once and drops the connection, which ends a review. */
  signal?: AbortSignal | undefined;
}

/** Options of `Signer.getPublicKey`. */
export interface GetPublicKeyOptions extends CallOptions {
  /** Shows the address on the device for the user to compare, and to approve or reject. Default: false. */
  confirm?: boolean | undefined;
}

/** A signature of 64 bytes over the message itself. */
export interface SignedMessage {
  signature: Uint8Array;
  /** Only with `antiExfil`, if the device supports it. */
  antiExfil?: CheckedNonce | undefined;
}

/** The detail with which a device refuses a sender that is not its account: field 4 at offset 13. */
const SENDER_NOT_OWN_DETAIL = Uint8Array.of(4, 13, 0, SENDER_NOT_OWN);
/** Offset of the declared length in the header of a message (docs/APDU.md#sign_message). */
const MESSAGE_LENGTH_AT = 4;
const NOTHING = new Uint8Array(0);
const COMMAND = { noun: 'command' } as const;

/**
 * A signer behind a transport. Overlapping calls run one after another. There is no time limit, because the
 * user may be reading. Every failure is a ZbcSignerError; every signature is verified before it is returned.
 */
export class Signer {
  readonly #connection: Connection;
  readonly #queue = new ExchangeQueue();

  /** Throws `INVALID_INPUT` if the argument is not a transport. */
  constructor(transport: Transport) {
    bindMembers(this);
    const { exchange, close } = Object(transport) as Partial<Transport>;
    if (typeof exchange !== 'function' || typeof close !== 'function') {
      throw invalidInputError('a transport must have exchange(apdu) and close()');
    }
    this.#connection = new Connection(transport);
  }

  /** Throws `WRONG_APP` if the device runs another app. */
  getAppName({ signal }: CallOptions = {}): Promise<AppName> {
    const command = { cla: CLA_ECOSYSTEM, ins: INS_GET_APP_NAME, p1: 0, data: NOTHING };
    const call = { subject: COMMAND, signal };
    return this.#queue.run(async () => parseAppName(await this.#connection.send(command, call)), signal);
  }

  /**
   * Version, limits and supported types, even if the device is locked. Throws `PROTOCOL_VERSION` if the
   * device speaks another version of the protocol.
   */
  getVersion({ signal }: CallOptions = {}): Promise<SignerVersion> {
    return this.#queue.run(() => this.#version(signal), signal);
  }

  /**
   * Whether the device can keep hidden data out of signatures, even if it is locked. It shows nothing, and what other
   * programs have begun on the device goes on. Throws `BUSY` during a review.
   */
  hasAntiExfil({ signal }: CallOptions = {}): Promise<boolean> {
    return this.#queue.run(async () => {
      // The device refuses it in any state: no approval of this program waits for it.
      const reveal = { cla: CLA_SIGNER, ins: INS_SIGN_MESSAGE, p1: P1_REVEAL, data: NOTHING };
      try {
        await this.#connection.send(reveal, { subject: COMMAND, signal });
      } catch (error) {
        const word = error instanceof DeviceError ? error.statusWord : undefined;
        if (word === WRONG_P1P2 || word === BAD_STATE) return word === BAD_STATE;
        throw error;
      }
      throw invalidReplyError('the device accepted a REVEAL without data');
    }, signal);
  }

  /** `account` is 0 to 2^31 - 1. Throws `ADDRESS_MISMATCH` if address and key do not match. */
  getPublicKey(
    account: number,
    { confirm = false, signal }: GetPublicKeyOptions = {},
  ): Promise<DevicePublicKey> {
    return this.#queue.run(() => this.#publicKey(account, confirm ? P1_CONFIRM : P1_SILENT, signal), signal);
  }

  /**
   * Throws `INVALID_SIGNATURE` or `TRANSACTION_HASH_MISMATCH` for a result that does not match the bytes. With
   * `antiExfil`, also the errors of docs/WALLET.md#signatures-without-hidden-data.
   */
  async signTransaction(
    request: SignTransactionRequest,
    options: SigningOptions = {},
  ): Promise<TransactionSignature> {
    const copy = copyRequest(request);
    const given = { ...options };
    return await this.#queue.run(
      onCaught => this.#signTransaction(copy, { ...given, onCaught }),
      given.signal,
    );
  }

  /**
   * Signs a message with plain Ed25519. The message has 1 to 2048 bytes of printable ASCII and line feeds,
   * but not exactly 32 bytes. Rejects any other message with `MALFORMED` or `TOO_LARGE` before it is sent.
   */
  async signMessage(
    account: number,
    message: Uint8Array,
    options: SigningOptions = {},
  ): Promise<SignedMessage> {
    const copy = readBytes('message', message);
    checkMessage(copy);
    const given = { ...options };
    return await this.#queue.run(
      onCaught => this.#signMessage(account, copy, { ...given, onCaught }),
      given.signal,
    );
  }

  /**
   * Shows a name and its account on the device. If the user approves, resolves with the contact, which the
   * program keeps. Throws `CONTACT_NAME` or `ACCOUNT_…` before the device is asked, and `NOT_SUPPORTED` if the
   * firmware has no contacts.
   */
  async registerContact(contact: NewContact, { signal }: CallOptions = {}): Promise<Contact> {
    const copy = readNewContact(contact);
    return this.#queue.run(async () => {
      const { publicKey: signer } = await this.#publicKey(0, P1_SILENT, signal);
      const proof = await this.#sendContact(P1_REGISTER, encodeContact(copy), signal);
      expectLength(proof, CONTACT_PROOF_LENGTH, 'the proof of a contact');
      return { ...copy, proof, signer };
    }, signal);
  }

  /** Whether the device would accept the contact, which it does not show. Throws `NOT_SUPPORTED` like above. */
  async checkContact(contact: Contact, { signal }: CallOptions = {}): Promise<boolean> {
    const copy = copyContact(contact);
    return this.#queue.run(async () => {
      try {
        const reply = await this.#sendContact(P1_CHECK, concatBytes(encodeContact(copy), copy.proof), signal);
        expectLength(reply, 0, 'the check of a contact');
        return true;
      } catch (error) {
        if (Object(error).code === 'CONTACT_PROOF') return false;
        throw error;
      }
    }, signal);
  }

  /** Closes the transport; a review ends on the device, and its call rejects. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  async #version(signal: AbortSignal | undefined): Promise<SignerVersion> {
    const command = { cla: CLA_SIGNER, ins: INS_GET_APP_VERSION, p1: 0, data: NOTHING };
    return parseVersion(await this.#connection.send(command, { subject: COMMAND, signal }));
  }

  async #publicKey(account: number, p1: number, signal: AbortSignal | undefined): Promise<DevicePublicKey> {
    const command = { cla: CLA_SIGNER, ins: INS_GET_PUBLIC_KEY, p1, data: encodeAccountIndex(account) };
    return parsePublicKey(await this.#connection.send(command, { subject: COMMAND, signal }));
  }

  async #sendContact(p1: number, data: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const command = { cla: CLA_SIGNER, ins: INS_REGISTER_CONTACT, p1, data };
    try {
      return await this.#connection.send(command, { subject: { noun: 'contact' }, signal });
    } catch (error) {
      throw await this.#unlessSupported(error, INS_NOT_SUPPORTED, signal);
    }
  }

  /** The error itself, or `NOT_SUPPORTED` if its status is the one that a firmware without the feature gives. */
  async #unlessSupported(
    error: unknown,
    statusWord: number,
    signal: AbortSignal | undefined,
    feature = 'contacts',
  ): Promise<unknown> {
    if (!(error instanceof DeviceError) || error.statusWord !== statusWord) return error;
    const version = await this.#version(signal).catch(() => undefined);
    return notSupportedError(feature, version?.firmwareVersion ?? 'unknown');
  }

  async #signTransaction(
    request: SignTransactionRequest,
    options: CaughtOptions,
  ): Promise<TransactionSignature> {
    const { account, genesisHash, transaction, linked = NOTHING } = request;
    const { signal } = options;
    // Invalid arguments are reported before the device is asked.
    encodeSignTransactionHeader(request);
    const { publicKey } = await this.#publicKey(account, P1_SILENT, signal);
    if (request.expectedPublicKey !== undefined) checkPublicKey(publicKey, request.expectedPublicKey);
    const subject = { noun: 'transaction', transaction, linked } as const;
    checkSender(subject, publicKey);
    if (request.contacts !== undefined) {
      checkGivenContacts(request);
      const { publicKey: signer } =
        account === 0 ? { publicKey } : await this.#publicKey(0, P1_SILENT, signal);
      checkContactSigner(request.contacts, signer);
    }
    const message = signingDigest(genesisHash, transaction);
    const signing = { publicKey, message, isTransaction: true };
    return await signByOptions(signing, options, async (onHeader, contribution) => {
      const header = encodeSignTransactionHeader(request, contribution?.commitment);
      const data = concatBytes(transaction, linked);
      const upload = { ins: INS_SIGN_TX, p2: contactOptions(request.contacts), header, data, onHeader };
      const reply = await this.#sign(upload, { subject, signal }, contribution);
      const signed = parseSigned(reply);
      contribution?.check(signed.signature);
      checkSigned(signed, { genesisHash, unsigned: transaction, publicKey });
      return signed;
    });
  }

  async #signMessage(account: number, message: Uint8Array, options: CaughtOptions): Promise<SignedMessage> {
    const { signal } = options;
    const { publicKey } = await this.#publicKey(account, P1_SILENT, signal);
    const subject = { noun: 'message', message } as const;
    const signing = { publicKey, message, isTransaction: false };
    return await signByOptions(signing, options, async (onHeader, contribution) => {
      const header = encodeSignMessageHeader(account, message, contribution?.commitment);
      const upload = { ins: INS_SIGN_MESSAGE, p2: P2_NONE, header, data: message, onHeader };
      const signature = await this.#sign(upload, { subject, signal }, contribution);
      expectLength(signature, SIGNATURE_LENGTH, 'a signature');
      contribution?.check(signature);
      checkSignature(signature, message, publicKey);
      return { signature };
    });
  }

  /** Uploads what is to be signed, whose header has the commitment of the nonce, and reveals the random bytes. */
  async #sign(upload: Upload, call: Call, contribution: Contribution | undefined): Promise<Uint8Array> {
    const p2 = upload.p2 | (contribution ? P2_COMMITMENT : P2_NONE);
    let hasHeader = false;
    const onHeader = () => {
      hasHeader = true;
      upload.onHeader();
    };
    const reply = await this.#connection.upload({ ...upload, p2, onHeader }, call).catch(async error => {
      const feature = contribution ? 'anti-exfil' : 'contacts';
      const isRefused = p2 !== P2_NONE && !hasHeader;
      throw isRefused ? await this.#unlessSupported(error, WRONG_P1P2, call.signal, feature) : error;
    });
    if (contribution === undefined) return reply;
    expectLength(reply, NONCE_POINT_LENGTH, 'the point of a nonce');
    const data = await contribution.reveal(reply);
    return this.#connection.send({ cla: CLA_SIGNER, ins: upload.ins, p1: P1_REVEAL, data }, call);
  }
}

function parseSigned(result: Uint8Array): TransactionSignature {
  expectLength(result, SIGNATURE_LENGTH + HASH_LENGTH, 'a signature and a hash');
  return { signature: result.slice(0, SIGNATURE_LENGTH), transactionHash: result.slice(SIGNATURE_LENGTH) };
}

/**
 * Throws `SENDER_MISMATCH` if the sender is not the account of the public key. Bytes that cannot be decoded
 * pass, because the device refuses them.
 */
function checkSender(subject: Subject & { transaction: Uint8Array }, publicKey: Uint8Array): void {
  const sender = senderOf(subject.transaction);
  if (sender === undefined || sameAccount(sender, accountFromPublicKey(publicKey))) return;
  throw errorForStatus(SENDER_MISMATCH, SENDER_NOT_OWN_DETAIL, subject);
}

/** Checks the contacts of a request. Bytes that cannot be decoded pass, because the device refuses them. */
function checkGivenContacts(request: SignTransactionRequest): void {
  const { genesisHash, contacts = {} } = request;
  let decoded: ReturnType<typeof decodeRequest>;
  try {
    decoded = decodeRequest(request);
  } catch {
    return;
  }
  checkContacts(contacts, { genesisHash, ...decoded });
}

function senderOf(transaction: Uint8Array): Account | undefined {
  try {
    return decodeTransaction(transaction).sender;
  } catch {
    return undefined;
  }
}

/** Checks a message before it is uploaded. Throws the error that a refusal by the device would cause. */
function checkMessage(message: Uint8Array): void {
  const length = message.length;
  if (length > MAX_SIGN_MESSAGE) refuseMessage(message, TOO_LARGE, MESSAGE_LENGTH_AT, MESSAGE_TOO_LONG);
  // 32 bytes are refused, because they could be the digest of a transaction.
  if (length === 0 || length === HASH_LENGTH)
    refuseMessage(message, MALFORMED, MESSAGE_LENGTH_AT, BAD_MESSAGE_LENGTH);
  const bad = message.findIndex(byte => byte !== 0x0a && (byte < 0x20 || byte > 0x7e));
  if (bad !== -1) refuseMessage(message, MALFORMED, bad, NOT_TEXT);
}

function refuseMessage(message: Uint8Array, statusWord: number, offset: number, reason: number): never {
  const detail = Uint8Array.of(0, offset & 0xff, offset >> 8, reason);
  throw errorForStatus(statusWord, detail, { noun: 'message', message });
}
