import { once } from 'node:events';
import { connect } from 'node:net';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { HttpTransport } from '@zbc-signer/host/node';
import { signMessage } from '../../../../testkit/device/apdu.js';
import {
  CONFIRM_ADDRESS_HEX,
  CONFIRMED_HEX,
  GET_VERSION_HEX,
} from '../../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../../testkit/device/device-host.js';
import { callJson, httpRequest, openRequest, readBody } from '../../../../testkit/network/http.js';

const MENU = ['ZBC Signer', 'is ready'];

let server: EmulatorServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

const postApdu = (data: string) => callJson<{ data: string }>('POST', `${server.api}/apdu`, { data });
const postText = (body: string, headers = {}) => httpRequest('POST', `${server.api}/apdu`, { body, headers });

describe('POST /apdu', () => {
  test('sends its headers at once and its body when the user has decided', async () => {
    const { response } = await openRequest('POST', `${server.api}/apdu`, {
      body: JSON.stringify({ data: CONFIRM_ADDRESS_HEX }),
    });
    expect(response.headers['transfer-encoding']).toBe('chunked');
    expect(server.emulator.reviewing).toBe(true);
    await server.emulator.approve();
    expect(JSON.parse((await readBody(response)).toString())).toEqual({ data: CONFIRMED_HEX });
  });

  test('tells two hosts apart by their transports, and those without a channel count as one', async () => {
    const [one, other] = [new HttpTransport(server.api), new HttpTransport(server.api)];
    const [header, chunk] = signMessage(0, Buffer.alloc(300, 'a')) as [Uint8Array, Uint8Array];
    const say = async (reply: Promise<Uint8Array>) => Buffer.from(await reply).toString('hex');
    expect(await say(one.exchange(header))).toBe('9000');
    expect(await say(other.exchange(chunk))).toBe('6902');
    expect(await postApdu(Buffer.from(chunk).toString('hex'))).toEqual({ data: '6902' });
    expect(await say(one.exchange(chunk))).toBe('9000');
    for (const apdu of [header, chunk]) {
      expect(await postApdu(Buffer.from(apdu).toString('hex'))).toEqual({ data: '9000' });
    }
  });

  test('ends the connection after the reply, so that a client that has read all of it still sees the socket', async () => {
    const socket = connect(Number(new URL(server.api).port), '127.0.0.1');
    const body = '{"data":"e0ff000000"}';
    socket.write(`POST /apdu HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    expect(Buffer.concat(await socket.toArray()).toString()).toContain('{"data":"6d00"}');
  });

  test('is cut off after more ticks than its timeout, and its review is dropped', async () => {
    await callJson('POST', `${server.api}/ticker`, { action: 'pause' });
    const step = () => callJson('POST', `${server.api}/ticker`, { action: 'single-step' });
    const { response } = await openRequest('POST', `${server.api}/apdu`, {
      body: JSON.stringify({ data: CONFIRM_ADDRESS_HEX, tick_timeout: 1 }),
    });
    const cut = new Promise(resolve => response.once('close', resolve));
    response.on('error', () => undefined).resume();
    await step();
    expect(server.emulator.reviewing).toBe(true);
    const menu = once(server.emulator, 'screen');
    await step();
    await Promise.all([cut, menu]);
    expect([response.complete, server.emulator.texts()]).toEqual([false, MENU]);
  });

  test('answers BUSY at once while another interface waits, and leaves the screen untouched', async () => {
    const pending = server.emulator.exchange(Buffer.from(CONFIRM_ADDRESS_HEX, 'hex'));
    const before = server.emulator.frame();
    expect(await postApdu(GET_VERSION_HEX)).toEqual({ data: '6901' });
    expect(server.emulator.frame()).toEqual(before);
    await server.emulator.approve();
    expect(Buffer.from(await pending).toString('hex')).toBe(CONFIRMED_HEX);
  });

  test('drops the review when the client disconnects', async () => {
    const { sent } = await openRequest('POST', `${server.api}/apdu`, {
      body: JSON.stringify({ data: CONFIRM_ADDRESS_HEX }),
    });
    const menu = once(server.emulator, 'screen');
    sent.destroy();
    await menu;
    expect(server.emulator.texts()).toEqual(MENU);
    expect((await postApdu(GET_VERSION_HEX)).data).toMatch(/9000$/);
  });

  test('answers WRONG_LENGTH to a command that is too long', async () => {
    expect(await postApdu('e0'.repeat(262))).toEqual({ data: '6700' });
  });

  test.each(['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'garbage', undefined])(
    'parses its body as JSON when the content type is %s',
    async contentType => {
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const { status, body } = await postText(`{"data":"${GET_VERSION_HEX}","tick_timeout":5}`, headers);
      expect([status, JSON.parse(body.toString()).data]).toEqual([200, expect.stringMatching(/9000$/)]);
    },
  );
});
