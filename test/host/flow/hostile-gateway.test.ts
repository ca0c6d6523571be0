import { type Draft, type FlowOptions, GatewayClient } from '@zbc-signer/host';
import { answer, type FakeAnswer } from '../../../testkit/gateway/fake-gateway.js';
import {
  ACCOUNT,
  APPROVAL,
  APPROVE,
  ESCROW,
  ESCROW_RECORD,
  ESCROW_ROUTE,
  ESCROWED,
  FEE,
  FlowFixture,
  INFO,
  info,
  NOT_FOUND,
  OWN,
  POST,
  SEND,
  SENT,
  STATUS,
  sendDraft,
  TOKENS,
} from '../../../testkit/gateway/flow-fixture.js';

const HASH = SEND.expect.tx_hash;
const PAGE = '<!doctype html><title>Welcome</title>';
const FORTY_DIGITS = '1'.repeat(40);

let fixture: FlowFixture;
beforeEach(async () => {
  fixture = await FlowFixture.start();
});
afterEach(() => fixture.gateway.stop());

type Lie = [what: string, lie: FakeAnswer];

/** Responses that violate the chain API on any route. */
const NO_ANSWERS: Lie[] = [
  ['a page', answer(PAGE)],
  ['a page with status 404', answer(PAGE, 404)],
  ['an empty 404', answer('', 404)],
  ['a 404 of another API', answer('{"message":"Not Found"}', 404)],
  ['a 404 with half an error body', answer('{"error":"Not Found"}', 404)],
  ['a 404 whose body says 200', answer('{"success":false,"error":"no","code":200}', 404)],
  ['a 404 that calls itself a success', answer('{"success":true,"error":"","code":404}', 404)],
  ['a page with status 403', answer(PAGE, 403)],
  ['a redirect', { status: 302, body: '', headers: { location: '/' } }],
  ['nothing', answer('')],
  ['null', answer('null')],
  ['a list', answer('[]')],
  ['an empty object', answer('{}')],
  ['100,000 brackets', answer('['.repeat(100_000))],
];

async function failureOf(draft: Draft = sendDraft(), timestamp?: bigint, options: Partial<FlowOptions> = {}) {
  return fixture.run(draft, timestamp, options).then(
    () => ({ code: 'a success' }),
    error => error,
  );
}

// Lies about one field are in draft/every-field.test.ts.
describe.each([
  ['node information', INFO],
  ['the balance', ACCOUNT],
  ['the fee', FEE],
])(
  'an answer about %s that is not of the chain API ends the payment before anything is signed',
  (_what, route) => {
    test.each(NO_ANSWERS)('%s', async (_lie, lie) => {
      fixture.gateway.on(route, lie);
      expect(await failureOf()).toMatchObject({ code: 'GATEWAY_MALFORMED' });
      expect(fixture.asked).toEqual([]);
      expect(fixture.posts).toEqual([]);
    });
  },
);

describe('a lie about the broadcast is never reported as a success', () => {
  const success = (fields: string) => answer(`{${fields}}`, 202);
  test.each<Lie>([
    ['a success without a hash', success('"status":"success","duplicate":false')],
    ['a hash without a status', success(`"transaction_hash":"${HASH}"`)],
    ['a status that is not success', success(`"status":"queued","transaction_hash":"${HASH}"`)],
    ['a status of true', success(`"status":true,"transaction_hash":"${HASH}"`)],
    ['a hash of 31 bytes', success(`"status":"success","transaction_hash":"${HASH.slice(2)}"`)],
    ['a duplicate flag of 7', success(`"status":"success","transaction_hash":"${HASH}","duplicate":7`)],
  ])('%s', async (_lie, lie) => {
    fixture.gateway.on(POST, lie).on(STATUS, NOT_FOUND);
    expect(await failureOf()).toMatchObject({
      code: 'BROADCAST_UNCERTAIN',
      facts: { transactionHash: HASH, sent: 'maybe' },
    });
  });

  test.each<Lie>([
    ['with a block height of 40 digits', answer(`{"status":"confirmed","block_height":${FORTY_DIGITS}}`)],
    ['without a stage', answer('{"block_height":1}')],
  ])('a status %s', async (_status, lie) => {
    fixture.gateway.on(STATUS, lie);
    expect(await failureOf()).toMatchObject({
      code: 'GATEWAY_MALFORMED',
      facts: { transactionHash: HASH, sent: 'no' },
    });
    expect(fixture.posts).toEqual([]);
  });
});

test('a long answer leads to an error of bounded length', async () => {
  const error = answer(`{"success":false,"error":"${'x'.repeat(100_000)}","code":500}`, 500);
  fixture.gateway.on(POST, error).on(STATUS, NOT_FOUND);
  const { code, message } = (await failureOf()) as { code: string; message: string };
  expect(code).toBe('BROADCAST_UNCERTAIN');
  expect(message.length).toBeLessThan(1200);
});

describe('a lie about a token ends the payment before anything is signed', () => {
  const TOKEN = 'GET /api/v1/tokens/-42';
  const draft: Draft = {
    type: 11,
    recipient: SENT.recipient,
    tokenId: -42n,
    amount: 1_000_000n,
  };
  const token = (decimals: string, id = '-42') =>
    answer(`{"token_id":${id},"decimals":${decimals},"symbol":"T"}`);
  const held = (decimals: string) =>
    answer(
      `{"tokens":[{"token_id":-42,"decimals":${decimals},"balance":900000000,"spendable_balance":900000000}]}`,
    );

  test.each<[string, FakeAnswer, FakeAnswer, string]>([
    ['fewer decimals in one route', token('2'), held('6'), 'TOKEN_MISMATCH'],
    ['more decimals in one route', token('8'), held('6'), 'TOKEN_MISMATCH'],
    ['9 decimals', token('9'), held('9'), 'GATEWAY_MALFORMED'],
    ['negative decimals', token('-1'), held('6'), 'GATEWAY_MALFORMED'],
    ['decimals that are a text', token('"six"'), held('6'), 'GATEWAY_MALFORMED'],
    ['another token', token('6', '42'), held('6'), 'GATEWAY_MALFORMED'],
    ['an id of 40 digits', token('6', FORTY_DIGITS), held('6'), 'GATEWAY_MALFORMED'],
    ['a page', answer(PAGE), held('6'), 'GATEWAY_MALFORMED'],
    ['a page for what is held', token('6'), answer(PAGE, 404), 'GATEWAY_MALFORMED'],
    ['no list of what is held', token('6'), answer('{}'), 'GATEWAY_MALFORMED'],
  ])('%s', async (_lie, one, other, code) => {
    fixture.gateway.on(TOKEN, one).on(TOKENS, other);
    expect(await failureOf(draft)).toMatchObject({ code });
    expect(fixture.asked).toEqual([]);
  });
});

describe('a lie about an escrow ends the approval before anything is signed', () => {
  const { escrow } = ESCROW_RECORD;

  test.each<[string, object, string?]>([
    ['another amount', { transaction_body_bytes: '81b2e60e00000000' }],
    ['another recipient', { recipient_account_address: OWN.address }],
    ['another sender', { sender_account_address: OWN.address }],
    ['another fee', { fee: 1 }],
    ['another time', { timestamp: 1 }],
    ['another signature', { signature: '00'.repeat(64) }],
    ['a signature that is not hex', { signature: 'zz' }],
    ['another commission', { escrow: { ...escrow, commission: 1 } }],
    ['another timeout', { escrow: { ...escrow, timeout: 1 } }],
    ['another instruction', { escrow: { ...escrow, instruction: 'ship last' } }],
    ['a message', { message_hex: '41' }],
    ['no escrow', { escrow: null }],
    ['another type', { transaction_type: 11 }],
    ['a body of 300,000 bytes', { transaction_body_bytes: '00'.repeat(300_000) }],
    ['an escrow that was approved', { escrow_status: 'approved' }, 'ESCROW_DECIDED'],
    ['an escrow that was rejected', { escrow_status: 'rejected' }, 'ESCROW_DECIDED'],
    ['an escrow that has expired', { escrow_status: 'expired' }, 'ESCROW_DECIDED'],
  ])('%s', async (_lie, changes, code = 'ESCROW_MISMATCH') => {
    const body = JSON.stringify({ ...ESCROW_RECORD, ...changes });
    fixture.gateway.on(INFO, info(undefined, ESCROW.genesis)).on(ESCROW_ROUTE, answer(body));
    expect(await failureOf(APPROVE, APPROVAL.timestamp)).toMatchObject({ code });
    expect(fixture.asked).toEqual([]);
  });

  test.each<[string, FakeAnswer, string]>([
    [
      'a decision that another gateway knows',
      answer(JSON.stringify({ ...ESCROW_RECORD, escrow_status: 'approved' })),
      'ESCROW_DECIDED',
    ],
    ['a transaction that no other gateway knows', NOT_FOUND, 'ESCROW_NOT_FOUND'],
    ['a state that no other gateway reports', answer('', 500), 'GATEWAY_STATUS'],
  ])('%s', async (_lie, honest, code) => {
    const other = await FlowFixture.start();
    for (const { gateway } of [fixture, other]) gateway.on(INFO, info(undefined, ESCROW.genesis));
    fixture.gateway.on(ESCROW_ROUTE, answer(JSON.stringify({ ...ESCROW_RECORD, escrow_status: 'held' })));
    other.gateway.on(ESCROW_ROUTE, honest);
    const otherGateways = [new GatewayClient(other.url)];
    expect(await failureOf(APPROVE, APPROVAL.timestamp, { otherGateways })).toMatchObject({ code });
    expect(fixture.asked).toEqual([]);
    await other.gateway.stop();
  });

  test('a timeout that is said not to be over yet', async () => {
    const body = answer(JSON.stringify(ESCROW_RECORD));
    fixture.gateway.on(INFO, info(undefined, ESCROW.genesis)).on(ESCROW_ROUTE, body);
    const { timeout } = ESCROWED.escrow!;
    expect(await failureOf(APPROVE, timeout)).toMatchObject({
      code: 'ESCROW_DECIDED',
      facts: { state: 'expired' },
    });
  });
});
