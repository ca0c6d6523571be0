import { decodeTransaction, fromHex } from '@zbc-signer/chain';
import { GatewayClient } from '#host/gateway/index.js';
import { answer, type FakeAnswer, FakeGateway } from '../../../testkit/gateway/fake-gateway.js';
import { transactions } from '../../../testkit/repository/vectors.js';

const GENESIS = 'cf30b4a8c165da3bc004b3a397b18c68986271b0395f9df0e984552fb455cf1d';
const HASH = '042c33017d195c095aeb3d32dc50845d5fddbe0dc78acb1e0553d072b81e61e4';
const INFO = 'GET /api/v1/node/info';
const ACCOUNT = 'GET /api/v1/accounts/A';
const STATUS = `GET /api/v1/transactions/${HASH}/status`;

let gateway: FakeGateway;
let client: GatewayClient;
beforeEach(async () => {
  gateway = new FakeGateway();
  client = new GatewayClient(await gateway.start(), { timeoutMs: 2000, maxAnswerBytes: 5000 });
});
afterEach(() => gateway.stop());

async function failureOf(call: Promise<unknown>): Promise<Record<string, unknown>> {
  const failure = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  return failure as Record<string, unknown>;
}

describe('node information', () => {
  const info = (genesis: string, rest = '') => answer(`{"genesis_hash":"${genesis}","height":7${rest}}`);

  test.each([GENESIS, GENESIS.toUpperCase(), `0x${GENESIS}`, `0X${GENESIS.toUpperCase()}`])(
    'reads the genesis hash %s',
    async genesis => {
      gateway.on(INFO, info(genesis, ',"signing_version":2,"signing_tag":"ZBC-TX"'));
      expect(await client.nodeInfo()).toEqual({
        genesisHash: new Uint8Array(Buffer.from(GENESIS, 'hex')),
        height: 7n,
        signingVersion: 2n,
        signingTag: 'ZBC-TX',
      });
    },
  );

  test('has no signing version if an older node does not report it', async () => {
    gateway.on(INFO, info(GENESIS));
    expect(await client.nodeInfo()).not.toHaveProperty('signingVersion');
  });

  test.each([
    ['genesis_hash', info(GENESIS.slice(2))],
    ['genesis_hash', info(`${GENESIS.slice(1)}g`)],
    ['height', answer(`{"genesis_hash":"${GENESIS}","height":1.5}`)],
    ['height', answer(`{"genesis_hash":"${GENESIS}","height":-1}`)],
    ['signing_version', info(GENESIS, ',"signing_version":"two"')],
    ['genesis_hash', answer('{}')],
  ])('refuses a wrong %s', async (field, reply) => {
    gateway.on(INFO, reply);
    const { code, message } = await failureOf(client.nodeInfo());
    expect(code).toBe('GATEWAY_MALFORMED');
    expect(message).toContain(field);
  });
});

describe('answers', () => {
  test('keep integers that do not fit a double', async () => {
    gateway.on(ACCOUNT, answer('{"balance":9007199254740995,"spendable_balance":18446744073709551615}'));
    expect(await client.account('A')).toEqual({
      balance: 9007199254740995n,
      spendable: 18446744073709551615n,
    });
  });

  test('are cleaned of control and bidirectional characters', async () => {
    const token = '{"token_id":-42,"decimals":2,"symbol":"\\u001b[2JA\\u202eB","name":"N\\u0000"}';
    gateway.on('GET /api/v1/tokens/-42', answer(token));
    expect(await client.token(-42n)).toEqual({ id: -42n, decimals: 2, name: 'N' });
  });

  test('with more decimals than a token can have are refused', async () => {
    gateway.on('GET /api/v1/tokens/1', answer('{"token_id":1,"decimals":9}'));
    expect(await failureOf(client.token(1n))).toMatchObject({ code: 'GATEWAY_MALFORMED' });
  });

  test('that contain a list, either bare or inside an object, are read as a list', async () => {
    const list = '[{"token_id":1,"decimals":8}]';
    gateway.on('GET /api/v1/tokens', answer(list), answer(`{"tokens":${list}}`));
    const expected = [{ id: 1n, decimals: 8 }];
    expect(await client.tokens()).toEqual(expected);
    expect(await client.tokens()).toEqual(expected);
  });

  test.each<[string, FakeAnswer, string]>([
    ['not JSON', answer('<html>'), 'it is not JSON'],
    ['empty', answer(''), 'it is not JSON'],
    ['nested too deeply', answer('['.repeat(4000)), 'it is not JSON'],
    ['longer than allowed', answer(`{"x":"${'x'.repeat(6000)}"}`), 'it is longer than 5000 bytes'],
    ['a list', answer('[]'), 'it is not an object'],
  ])('that are %s are refused', async (_name, reply, fault) => {
    gateway.on(INFO, reply);
    const { code, message } = await failureOf(client.nodeInfo());
    expect(code).toBe('GATEWAY_MALFORMED');
    expect(message).toContain(fault);
  });

  test('may be large only if they are lists', async () => {
    const whole = new GatewayClient(client.url);
    const blanks = ' '.repeat(70_000);
    gateway.on(ACCOUNT, answer(`{"balance":1,"spendable_balance":1}${blanks}`));
    gateway.on('GET /api/v1/tokens', answer(`[]${blanks}`));
    expect(await failureOf(whole.account('A'))).toMatchObject({ code: 'GATEWAY_MALFORMED' });
    expect(await whole.tokens()).toEqual([]);
  });

  test('with an error status are reported by their status, however long they are', async () => {
    const whole = new GatewayClient(client.url);
    gateway.on(ACCOUNT, answer('x'.repeat(70_000), 502));
    expect(await failureOf(whole.account('A'))).toMatchObject({ code: 'GATEWAY_STATUS', status: 502 });
  });

  test('have only their own fields, not those of a prototype', async () => {
    gateway.on(ACCOUNT, answer('{"__proto__":{"balance":1,"spendable_balance":1}}'));
    expect(await failureOf(client.account('A'))).toMatchObject({ code: 'GATEWAY_MALFORMED' });
  });

  test('about another transaction are refused', async () => {
    gateway.on(STATUS, answer(`{"transaction_hash":"${GENESIS}","status":"confirmed"}`));
    expect(await failureOf(client.transactionStatus(fromHex(HASH)))).toMatchObject({
      code: 'FALSE_STATUS',
    });
  });
});

describe('the receipt of a broadcast', () => {
  const POST = 'POST /api/v1/transactions';
  const { tx, expect: signed } = transactions.cases[0]!;
  const broadcast = () => client.broadcast(decodeTransaction(fromHex(tx)), fromHex(signed.signature));
  const receipt = (status: string, rest = '') =>
    answer(`{"status":"${status}","transaction_hash":"${HASH}"${rest}}`, 202);

  test.each([
    ['', false],
    [',"duplicate":false', false],
    [',"duplicate":true', true],
  ])('with the fields %j reports whether the node already had the transaction', async (rest, duplicate) => {
    gateway.on(POST, receipt('success', rest));
    expect(await broadcast()).toEqual({ transactionHash: fromHex(HASH), duplicate });
  });

  test('is rejected if its status is not "success"', async () => {
    gateway.on(POST, receipt('failure'));
    expect(await failureOf(broadcast())).toMatchObject({ code: 'GATEWAY_MALFORMED' });
  });
});

describe('a 404', () => {
  test('with a body means that the requested object does not exist', async () => {
    expect(await client.account('A')).toBeUndefined();
    expect(await client.transactionStatus(fromHex(HASH))).toBeUndefined();
    expect(await client.accountTokens('A')).toEqual([]);
  });

  test('without a body is an error, because the route does not exist', async () => {
    gateway.on(ACCOUNT, answer('', 404));
    expect(await failureOf(client.account('A'))).toMatchObject({ code: 'GATEWAY_MALFORMED' });
  });
});

describe('failed requests', () => {
  test('have an error with the status and the cleaned text of the body', async () => {
    gateway.on(INFO, answer('{"success":false,"error":"no\\u001b[1m way","code":400}', 400));
    expect(await failureOf(client.nodeInfo())).toMatchObject({
      code: 'GATEWAY_STATUS',
      status: 400,
      nodeError: 'no[1m way',
    });
  });

  test('that are answered 503 have a separate error code', async () => {
    gateway.on(INFO, answer('', 503));
    expect(await failureOf(client.nodeInfo())).toMatchObject({
      code: 'GATEWAY_BUSY',
      message: 'the gateway is overloaded (HTTP 503 for /api/v1/node/info)',
    });
  });

  test('that are answered 503 with an error body report its cleaned text', async () => {
    const long = 'x'.repeat(400);
    gateway.on(INFO, answer(`{"success":false,"error":"no\\u001b[1m way ${long}","code":503}`, 503));
    const { code, name, message } = await failureOf(client.nodeInfo());
    expect([code, name]).toEqual(['GATEWAY_BUSY', 'GatewayBusyError']);
    const text = `no[1m way ${long}`.slice(0, 300);
    expect(message).toBe(`the gateway cannot answer (HTTP 503 for /api/v1/node/info): ${text}…`);
  });

  test('do not follow redirects, and report where they point', async () => {
    gateway.on(INFO, { status: 302, body: '', headers: { location: 'http://127.0.0.1:9/' } });
    expect(await failureOf(client.nodeInfo())).toMatchObject({
      code: 'GATEWAY_MALFORMED',
      fault: 'it is a redirect (HTTP 302) to http://127.0.0.1:9/',
    });
  });

  test('without a connection are reported as GATEWAY_UNREACHABLE', async () => {
    gateway.on(INFO, 'drop');
    expect(await failureOf(client.nodeInfo())).toMatchObject({ code: 'GATEWAY_UNREACHABLE' });
  });

  test("that are aborted reject with an AbortedError and the signal's reason", async () => {
    gateway.on(INFO, 'silence');
    const controller = new AbortController();
    const call = failureOf(client.nodeInfo({ signal: controller.signal }));
    controller.abort(new Error('enough'));
    expect(await call).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
  });
});

describe('the address of a gateway', () => {
  test.each([
    '',
    'gateway.example',
    'ftp://gateway.example',
    'http://user:secret@gateway.example',
    'http://x/?a=1',
  ])('cannot be %j', url => {
    let failure: Record<string, unknown> = {};
    try {
      new GatewayClient(url);
    } catch (error) {
      failure = error as Record<string, unknown>;
    }
    expect(failure.code).toBe('GATEWAY_URL');
    expect(failure.message).not.toContain('secret');
  });

  test('may end with slashes', () => {
    expect(new GatewayClient('http://127.0.0.1:1//').url).toBe('http://127.0.0.1:1');
  });
});

test.each(['/api/v1', '/api/v1/', '/'])("a gateway's URL may end in %s", async end => {
  gateway.on(INFO, answer(`{"genesis_hash":"${GENESIS}","height":7}`));
  expect(await new GatewayClient(client.url + end).nodeInfo()).toMatchObject({ height: 7n });
});
