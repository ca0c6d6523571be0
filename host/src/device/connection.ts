import { ZbcSignerError } from '@zbc-signer/chain';
import { CLA_SIGNER, P1_DATA, P1_HEADER } from '@zbc-signer/protocol/commands';
import { OK } from '@zbc-signer/protocol/status-words';
import { throwIfAborted } from '../cancellation.js';
import { TransportError } from '../errors.js';
import { type Command, decodeReply, encodeCommand, splitIntoChunks } from './apdu.js';
import type { Subject } from './refusal-detail.js';
import { expectLength } from './replies.js';
import { errorForStatus } from './status-errors.js';
import type { Transport } from './transport/transport.js';

/** The context of a command: its subject, which error messages name, and its signal. */
export interface Call {
  subject: Subject;
  signal?: AbortSignal | undefined;
}

/** A header and the bytes that follow it in chunks, all under one INS. `p2` is that of the header. */
export interface Upload {
  ins: number;
  p2: number;
  header: Uint8Array;
  data: Uint8Array;
  /** Called when the device has accepted the header. */
  onHeader: () => void;
}

/**
 * Sends commands over a transport; turns status words and failures into typed errors. ExchangeQueue orders
 * the calls.
 */
export class Connection {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Resolves with the data of a 9000 reply; throws otherwise. */
  async send(command: Command, call: Call): Promise<Uint8Array> {
    const { data, statusWord } = decodeReply(await this.#exchange(encodeCommand(command), call.signal));
    if (statusWord !== OK) throw errorForStatus(statusWord, data, call.subject);
    return data;
  }

  /**
   * Resolves with the reply to the last chunk; every earlier reply must be empty. The device drops an upload
   * if another program begins an upload or a review meanwhile. The upload is then repeated once. The user has
   * not seen a dropped upload, because the device shows only complete ones.
   */
  upload(upload: Upload, call: Call): Promise<Uint8Array> {
    return this.#upload(upload, call).catch((error: ZbcSignerError) => {
      if (error.code !== 'BAD_STATE') throw error;
      return this.#upload(upload, call);
    });
  }

  async #upload({ ins, p2, header, data, onHeader }: Upload, call: Call): Promise<Uint8Array> {
    let reply = await this.send({ cla: CLA_SIGNER, ins, p1: P1_HEADER, p2, data: header }, call);
    onHeader();
    for (const chunk of splitIntoChunks(data)) {
      expectLength(reply, 0, 'an early result');
      reply = await this.send({ cla: CLA_SIGNER, ins, p1: P1_DATA, data: chunk }, call);
    }
    return reply;
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  async #exchange(apdu: Uint8Array, signal: AbortSignal | undefined): Promise<Uint8Array> {
    throwIfAborted(signal);
    try {
      // Ledger's transports need a Buffer: they call toString('hex').
      return await this.#transport.exchange(globalThis.Buffer?.from(apdu) ?? apdu, signal);
    } catch (cause) {
      throwIfAborted(signal);
      if (cause instanceof ZbcSignerError) throw cause;
      throw new TransportError('TRANSPORT_FAILED', 'the connection to the device failed', { cause });
    }
  }
}
