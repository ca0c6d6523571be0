import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { fromHex, invalidInputError, toHex, ZbcSignerError } from '@zbc-signer/chain';
import { bindMembers } from '@zbc-signer/protocol/bound-members';
import { throwIfAborted, untilAborted } from '../../cancellation.js';
import { invalidReplyError, TransportError } from '../../errors.js';
import { connectionError } from './connection-error.js';
import { ReportChannels } from './report-channels.js';
import type { CancelSignal, Transport } from './transport.js';

/** Maximum length of a response in characters. A reply of 261 bytes in hex is much shorter. */
const MAX_BODY = 4096;

/**
 * The REST API of an emulator. During a review, `POST /apdu {"data": hex, "channel": n}` is answered when the user decides.
 */
export class HttpTransport implements Transport {
  readonly #url: URL;
  readonly #channels = new ReportChannels();
  // Each exchange has its own connection. A connection that is kept open may close while a command is being
  // sent, and no command may be sent twice.
  readonly #agent = new Agent({ keepAlive: false });

  /** `api` is the emulator's base URL, such as `http://127.0.0.1:5000`. */
  constructor(api: string) {
    bindMembers(this);
    if (!URL.canParse(api) || new URL(api).protocol !== 'http:') {
      throw invalidInputError('the emulator URL must start with http://');
    }
    this.#url = new URL(`${api.replace(/\/+$/, '')}/apdu`);
  }

  /** Implements `Transport.exchange`. */
  async exchange(apdu: Uint8Array, signal?: CancelSignal): Promise<Uint8Array> {
    throwIfAborted(signal);
    const channel = this.#channels.channelFor(apdu);
    const body = JSON.stringify({ data: toHex(apdu), channel });
    const call = request(this.#url, {
      method: 'POST',
      agent: this.#agent,
      headers: { 'content-type': 'application/json' },
    });
    try {
      const reply = untilAborted(receive(call, this.#url.host), signal);
      call.end(body);
      const received = await reply;
      this.#channels.note(channel, apdu, received);
      return received;
    } finally {
      call.destroy();
    }
  }

  /** Implements `Transport.close`. */
  close(): void {
    this.#agent.destroy();
  }
}

async function receive(call: ClientRequest, place: string): Promise<Uint8Array> {
  const response = await untilResponse(call, place);
  if (response.statusCode !== 200) throw statusError(place, response.statusCode);
  return parseBody(await readBody(response, place));
}

/** A 404 means that the server is not an emulator, because every emulator has the route. */
function statusError(place: string, status: number | undefined): TransportError {
  const answer = `answered with HTTP status ${status}`;
  if (status !== 404 && status !== 405) return new TransportError('TRANSPORT_FAILED', `${place} ${answer}`);
  const message = `${place} is not an emulator's REST address: it ${answer}`;
  const hint = 'Check the port. An emulator prints its REST address when it starts.';
  return new TransportError('TRANSPORT_FAILED', message, { hint });
}

function untilResponse(call: ClientRequest, place: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    call.once('response', resolve);
    // `once` is not enough: a later error without a listener would end the process.
    call.on('error', cause => reject(connectionError(place, cause)));
  });
}

async function readBody(response: IncomingMessage, place: string): Promise<string> {
  let body = '';
  response.setEncoding('utf8');
  try {
    for await (const chunk of response) {
      body += chunk;
      if (body.length > MAX_BODY) throw invalidReplyError(`${place} sent more bytes than a reply can have`);
    }
  } catch (cause) {
    throw cause instanceof ZbcSignerError ? cause : connectionError(place, cause);
  }
  return body;
}

function parseBody(body: string): Uint8Array {
  try {
    const { data } = JSON.parse(body) as { data: unknown };
    return fromHex(String(data));
  } catch {
    throw invalidReplyError('the emulator did not answer with {"data": hex}');
  }
}
