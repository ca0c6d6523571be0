import type { Socket } from 'node:net';
import type { Behaviour } from './breaking-node.js';

/** A body that is longer than one read from a connection. */
const LONG = 'x'.repeat(100_000);

const pieces =
  (waitMs: number, ...parts: (string | ((socket: Socket) => void))[]): Behaviour =>
  socket => {
    const next = () => {
      const part = parts.shift();
      if (part === undefined || socket.destroyed) return;
      if (typeof part === 'string') {
        socket.write(part, 'latin1');
      } else {
        part(socket);
      }
      setTimeout(next, waitMs);
    };
    next();
  };

const end = (socket: Socket) => void socket.end();
const reset = (socket: Socket) => void socket.resetAndDestroy();
const destroy = (socket: Socket) => void socket.destroy();
const hold = () => {};

const ENDINGS = { end, reset, destroy };

const HEADS: Record<string, string> = {
  nothing: '',
  'half a status line': 'HTTP/1.1 5',
  'a status line': 'HTTP/1.1 500 No\r\n',
  'half a head': 'HTTP/1.1 500 No\r\ncontent-len',
  'an interim response': 'HTTP/1.1 103 Early Hints\r\n\r\n',
  'another protocol': 'SSH-2.0-node\r\n',
  'a switch of protocols': 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
  'a wrong length': 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n',
  'two lengths': 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx',
  'a length and chunks': 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nx',
  'a head that is too long': `HTTP/1.1 200 OK\r\nx: ${LONG}\r\n\r\n`,
  'two responses at once':
    'HTTP/1.1 500 A\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 B\r\ncontent-length: 1\r\n\r\nx',
};

const BODIES: Record<string, string> = {
  'less than its length': 'content-length: 10\r\n\r\nx',
  'more than its length': `content-length: 10\r\n\r\n${LONG}`,
  'half a long body': `content-length: 200000\r\n\r\n${LONG}`,
  'a long body without a length': `\r\n${LONG}`,
  'half a chunk': 'transfer-encoding: chunked\r\n\r\nfff\r\nx',
  'a broken chunk': `transfer-encoding: chunked\r\n\r\n186a0\r\n${LONG}\r\nzz\r\n`,
  'long chunks without an end': `transfer-encoding: chunked\r\n\r\n186a0\r\n${LONG}\r\n`,
  'bad compression': 'content-encoding: gzip\r\ncontent-length: 4\r\n\r\nnogz',
};

/** Behaviours of failing nodes, each with its name. */
export const BEHAVIOURS: [name: string, behaviour: () => Behaviour][] = [
  ...Object.entries(HEADS).flatMap(([name, head]) =>
    Object.entries(ENDINGS).map(
      ([how, ending]) =>
        [`${name}, then ${how}`, () => pieces(30, head, ending)] as [string, () => Behaviour],
    ),
  ),
  ...[200, 404, 500].flatMap(status =>
    Object.entries(BODIES).flatMap(([name, body]) =>
      Object.entries(ENDINGS).map(
        ([how, ending]) =>
          [
            `${status} with ${name}, then ${how}`,
            () => pieces(30, `HTTP/1.1 ${status} X\r\n${body}`, ending),
          ] as [string, () => Behaviour],
      ),
    ),
  ),
  ['200 byte by byte', () => pieces(1, ...'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'.split(''))],
  [
    '500 with a long body, later broken',
    () => pieces(300, `HTTP/1.1 500 X\r\ncontent-length: 200000\r\n\r\n${LONG}`, reset),
  ],
  ['no response', () => pieces(10, hold)],
];
