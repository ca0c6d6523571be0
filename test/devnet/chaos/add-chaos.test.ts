import type { AddressInfo } from 'node:net';
import { createJsonApp } from '@zbc-signer/gateway/server';
import type { FastifyInstance } from 'fastify';
import { addChaos } from '#devnet/chaos/add-chaos.js';
import type { Chaos } from '#devnet/chaos/chaos.js';
import { httpRequest } from '../../../testkit/network/http.js';

const HASH = '0a'.repeat(32);
const INFO = { genesis_hash: HASH, signing_version: 2, signing_tag: 'ZBC-TX', height: 9007199254740993n };

let app: FastifyInstance;
let errors: Error[];
let taken: number;
afterEach(async () => {
  await app.close();
  expect(errors).toEqual([]);
});

/** Starts a server with the relevant routes. Like a gateway, it answers with objects, buffers and streams. */
async function start(chaos: Chaos): Promise<string> {
  errors = [];
  taken = 0;
  app = createJsonApp(error => errors.push(error));
  addChaos(app, chaos);
  app.get('/gateway/status', () => ({ mode: 'private' }));
  app.get('/api/v1/node/info', () => INFO);
  app.get('/api/v1/tokens', () => ({ tokens: [] }));
  app.post('/api/v1/transactions', (_request, reply) => {
    taken += 1;
    const body = Buffer.from(`{"status":"success","duplicate":false,"transaction_hash":"${HASH}"}`);
    return reply.code(202).send(body);
  });
  app.setErrorHandler((error: Error) => errors.push(error));
  await app.listen({ port: 0, host: '127.0.0.1' });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

const get = (url: string) => httpRequest('GET', url);
const post = (url: string) =>
  httpRequest('POST', `${url}/api/v1/transactions`, {
    body: '{}',
    headers: { 'content-type': 'application/json' },
  });
const json = async (reply: ReturnType<typeof get>) => JSON.parse((await reply).body.toString());

describe('without chaos', () => {
  test('nothing changes', async () => {
    const url = await start({});
    expect((await get(`${url}/api/v1/node/info`)).body.toString()).toContain('9007199254740993');
    expect(await json(post(url))).toMatchObject({ transaction_hash: HASH });
  });
});

describe('chaos', () => {
  test('drop cuts the connection, and the request has no effect', async () => {
    const url = await start({ drop: 1 });
    await expect(post(url)).rejects.toThrow('socket hang up');
    await expect(get(`${url}/api/v1/tokens`)).rejects.toThrow('socket hang up');
    expect(taken).toBe(0);
  });

  test('drop-after cuts the connection after it has carried out a broadcast, and answers reads', async () => {
    const url = await start({ dropAfter: 1 });
    await expect(post(url)).rejects.toThrow('socket hang up');
    expect(taken).toBe(1);
    expect((await get(`${url}/api/v1/tokens`)).status).toBe(200);
  });

  test('busy answers 503 with the error body, and the request has no effect', async () => {
    const url = await start({ busy: 1 });
    const { status, headers, body } = await post(url);
    expect([status, headers['retry-after'], taken]).toEqual([503, '1', 0]);
    expect(JSON.parse(body.toString())).toEqual({
      success: false,
      error: expect.any(String),
      code: 503,
    });
  });

  test('delay holds back answers, but does not delay the stop of the gateway', async () => {
    const url = await start({ delayMs: 60_000 });
    const reply = get(`${url}/api/v1/tokens`).catch(() => undefined);
    const first = await Promise.race([reply, new Promise(resolve => setTimeout(resolve, 100, 'waiting'))]);
    expect(first).toBe('waiting');
    await app.close();
  });

  test('altered-hash replaces the transaction hash with another of the same form and changes nothing else', async () => {
    const url = await start({ alteredHash: true });
    const receipt = await json(post(url));
    expect(receipt).toMatchObject({ status: 'success', duplicate: false });
    expect(receipt.transaction_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(receipt.transaction_hash).not.toBe(HASH);
  });

  test('hide-signing-version and no-signing-version remove both signing fields and keep all digits of the height', async () => {
    for (const chaos of [{ hideSigningVersion: true }, { noSigningVersion: true }]) {
      const url = await start(chaos);
      const { headers, body } = await get(`${url}/api/v1/node/info`);
      expect(body.toString()).toBe(`{"genesis_hash":"${HASH}","height":9007199254740993}`);
      expect(headers['content-length']).toBe(`${body.length}`);
      await app.close();
    }
  });

  test('wrong-genesis reports another genesis hash', async () => {
    const url = await start({ wrongGenesis: true });
    const { genesis_hash, signing_version } = await json(get(`${url}/api/v1/node/info`));
    expect(genesis_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(genesis_hash).not.toBe(HASH);
    expect(signing_version).toBe(2);
  });

  test("does not affect the gateway's own routes", async () => {
    const url = await start({ drop: 1, busy: 1, delayMs: 60_000 });
    expect(await json(get(`${url}/gateway/status`))).toEqual({ mode: 'private' });
  });

  test('causes the same faults for the same seed', async () => {
    const outcomes = async (seed: number) => {
      const url = await start({ drop: 0.3, busy: 0.3, seed });
      const seen = [];
      for (let count = 0; count < 30; count += 1) {
        seen.push(
          await get(`${url}/api/v1/tokens`).then(
            ({ status }) => status,
            () => 'cut',
          ),
        );
      }
      await app.close();
      return seen;
    };
    const first = await outcomes(7);
    expect(await outcomes(7)).toEqual(first);
    expect(await outcomes(8)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 503, 'cut']));
  });
});
