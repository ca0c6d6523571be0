import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { until } from '../../../../testkit/until.js';

/** Types of frames (RFC 9113 §6). */
export const DATA = 0;
export const HEADERS = 1;
export const PRIORITY = 2;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PUSH_PROMISE = 5;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;

/** Flags. */
export const END_STREAM = 1;
export const END_HEADERS = 4;
export const PADDED = 8;

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const FRAME_HEAD_BYTES = 9;
/** RFC 7541 §2.3.3. */
const FIRST_DYNAMIC_INDEX = 62;

interface Frame {
  type: number;
  flags: number;
  stream: number;
  payload: Buffer;
}

export type Field = readonly [name: string, value: string];

/** A GET that the gateway answers. */
export const GET: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/api/v1/x'],
  [':authority', 'gateway.test'],
];

/** The fields with others in place of some, which may be new; without those whose value is undefined. */
export function withFields(
  changes: Record<string, string | undefined>,
  fields: readonly Field[] = GET,
): Field[] {
  const kept = fields.filter(([name]) => !(name in changes));
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined ? [] : ([[name, value]] as Field[]),
  );
  const all = [...kept, ...added];
  return [...all.filter(([name]) => name.startsWith(':')), ...all.filter(([name]) => !name.startsWith(':'))];
}

export function frame(type: number, flags: number, stream: number, payload: Buffer | number[] = []): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, Buffer.from(payload)]);
}

/** Literal fields without indexing, and without Huffman's code (RFC 7541 §6.2.2). */
export function block(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([name, value]) => [Buffer.from([0]), ...literal(name), ...literal(value)]),
  );
}

/** A field that enters the dynamic table (RFC 7541 §6.2.1), then so many references to it of one byte each. */
export function repeatedField(field: Field, times: number): Buffer {
  const [name, value] = field;
  const added = Buffer.concat([Buffer.from([0x40]), ...literal(name), ...literal(value)]);
  return Buffer.concat([added, Buffer.alloc(times, 0x80 | FIRST_DYNAMIC_INDEX)]);
}

function literal(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  return [Buffer.from(lengthOf(bytes.length)), bytes];
}

/** An integer with a prefix of seven bits (RFC 7541 §5.1). */
function lengthOf(length: number): number[] {
  if (length < 127) return [length];
  const rest = [127];
  let left = length - 127;
  for (; left >= 128; left = Math.floor(left / 128)) rest.push((left % 128) + 128);
  return [...rest, left];
}

/** A connection of HTTP/2 whose frames a test writes itself. */
export class RawSession {
  readonly frames: Frame[] = [];
  isClosed = false;
  /** Whether it acknowledges the server's settings. */
  acknowledges = true;
  #held = Buffer.alloc(0);

  private constructor(readonly socket: TLSSocket) {
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  /** With the preface and these settings, by number. */
  static async open(port: number, settings: Record<number, number> = {}): Promise<RawSession> {
    const session = await RawSession.silent(port);
    session.write(PREFACE, settingsFrame(settings));
    return session;
  }

  /** After the handshake of TLS alone. */
  static async silent(port: number): Promise<RawSession> {
    const options = { port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    const socket = connect(options);
    await once(socket, 'secureConnect');
    return new RawSession(socket);
  }

  write(...pieces: (Buffer | string)[]): void {
    if (this.socket.writable) this.socket.write(Buffer.concat(pieces.map(piece => Buffer.from(piece))));
  }

  /** A request without a body. */
  ask(stream: number, fields: readonly Field[] = GET, flags = END_STREAM): void {
    this.write(frame(HEADERS, flags | END_HEADERS, stream, block(fields)));
  }

  /** The first frame of a type, on that stream if one is given. */
  async next(type: number, stream?: number): Promise<Frame> {
    const find = () =>
      this.frames.find(each => each.type === type && (stream === undefined || each.stream === stream));
    await until(() => find() !== undefined || this.isClosed);
    const found = find();
    if (found === undefined) throw new Error(`closed without a frame of type ${type}`);
    return found;
  }

  /** How a request ended: `answered` (END_STREAM), `reset CODE`, `goaway CODE`, or `closed`. */
  async endOf(stream: number): Promise<string> {
    const find = () => {
      const own = this.frames.filter(each => each.stream === stream);
      if (own.some(({ type, flags }) => type <= HEADERS && (flags & END_STREAM) !== 0)) return 'answered';
      const reset = own.find(({ type }) => type === RST_STREAM);
      if (reset !== undefined) return `reset ${reset.payload.readUInt32BE()}`;
      if (this.goaway) return `goaway ${this.goaway}`;
      return this.isClosed ? 'closed' : undefined;
    };
    await until(() => find() !== undefined);
    return find()!;
  }

  async closed(): Promise<void> {
    await until(() => this.isClosed);
  }

  /** Of the GOAWAY that came last; undefined without one. */
  get goaway(): number | undefined {
    return this.frames.findLast(({ type }) => type === GOAWAY)?.payload.readUInt32BE(4);
  }

  #receive(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes]);
    while (this.#held.length >= FRAME_HEAD_BYTES) {
      const end = FRAME_HEAD_BYTES + this.#held.readUIntBE(0, 3);
      if (this.#held.length < end) return;
      this.#take({
        type: this.#held[3]!,
        flags: this.#held[4]!,
        stream: this.#held.readUInt32BE(5) & 0x7fffffff,
        payload: this.#held.subarray(FRAME_HEAD_BYTES, end),
      });
      this.#held = this.#held.subarray(end);
    }
  }

  #take(taken: Frame): void {
    this.frames.push(taken);
    if (this.acknowledges && taken.type === SETTINGS && (taken.flags & 1) === 0)
      this.write(frame(SETTINGS, 1, 0));
  }
}

function settingsFrame(settings: Record<number, number>): Buffer {
  const payload = Object.entries(settings).map(([name, value]) => {
    const entry = Buffer.alloc(6);
    entry.writeUInt16BE(Number(name), 0);
    entry.writeUInt32BE(value, 2);
    return entry;
  });
  return frame(SETTINGS, 0, 0, Buffer.concat(payload));
}
