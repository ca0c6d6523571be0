import { type FlowEvent, GatewayClient } from '@zbc-signer/host';
import { readChain } from '#host/flow/chain/chain.js';
import { startFlowStep } from '#host/flow/flow-step.js';
import { answer, FakeGateway } from '../../../../testkit/gateway/fake-gateway.js';
import { localhostFetch } from '../../../../testkit/network/localhost-fetch.js';

const GENESIS = 'ab'.repeat(32);
const SIGNS = ',"signing_version":2,"signing_tag":"ZBC-TX"';
const INFO = '/api/v1/node/info';
const STATUS = 'GET /gateway/status';

const info = (rest = '', genesis = GENESIS) => answer(`{"genesis_hash":"${genesis}","height":7${rest}}`);
const node = (ip: string, role: string, answers = true, port = 8884) =>
  `{"ip":"${ip}","port":${port},"role":"${role}","answers":${answers}}`;
const status = (...nodes: string[]) =>
  answer(`{"mode":"private","domain":"evil.example","nodes":[${nodes.join()}]}`);
const nodeRoute = (digit: number) => `GET ip-10-0-0-${digit}-p8884.localhost${INFO}`;

let gateway: FakeGateway;
let url: string;
let events: FlowEvent[];
beforeEach(async () => {
  events = [];
  gateway = new FakeGateway().on(`GET ${INFO}`, info());
  url = await gateway.start();
});
afterEach(() => gateway.stop());

function read(changes: { url?: string; signal?: AbortSignal; expected?: Uint8Array } = {}) {
  const options = {
    signal: changes.signal,
    onProgress: (event: FlowEvent) => events.push(event),
    gateway: new GatewayClient(changes.url ?? url, { fetch: localhostFetch, timeoutMs: 2000 }),
  };
  return readChain({
    ...startFlowStep(options),
    gateway: options.gateway,
    otherGateways: [],
    deadlineMs: Number.POSITIVE_INFINITY,
    expectedGenesisHash: changes.expected,
    maxFee: 0n,
    allowsZeroAmount: false,
  });
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('a gateway that hides the signing version', () => {
  test("leads to direct requests to its full nodes, by names under the gateway's host", async () => {
    gateway
      .on(STATUS, status(node('10.0.0.1', 'archival'), node('10.0.0.2', 'full')))
      .on(nodeRoute(2), info(SIGNS, `0x${GENESIS.toUpperCase()}`));
    expect(await read()).toMatchObject({ height: 7n, signingVersion: 2n, signingTag: 'ZBC-TX' });
    expect(gateway.routes).toEqual([`GET ${INFO}`, STATUS, nodeRoute(2)]);
    expect(events).toEqual([
      { step: 'direct', node: '10.0.0.2:8884', answered: true, signingVersion: 2n },
      { step: 'chain', genesisHash: new Uint8Array(32).fill(0xab), height: 7n },
    ]);
  });

  test('is not asked for its nodes if it reports the version itself', async () => {
    gateway.on(`GET ${INFO}`, info(SIGNS));
    await read();
    expect(gateway.routes).toEqual([`GET ${INFO}`]);
  });

  test('may list nodes that are down, refuse, are older or are malformed before a node that reports the version', async () => {
    gateway
      .on(STATUS, status(node('10.0.0.1', 'full'), node('10.0.0.2', 'full'), node('10.0.0.3', 'archival')))
      .on(nodeRoute(1), 'drop')
      .on(nodeRoute(2), answer('{"success":false,"error":"not on the allowlist","code":403}', 403))
      .on(nodeRoute(3), info(SIGNS));
    expect(await read()).toMatchObject({ signingVersion: 2n });
    expect(events.map(event => event.step === 'direct' && event.answered)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  test('is refused if no node reports the version', async () => {
    gateway.on(STATUS, status(node('10.0.0.1', 'full'))).on(nodeRoute(1), info());
    expect(await failureOf(read())).toMatchObject({ code: 'SIGNING_VERSION' });
  });

  test.each([1, 3])('is refused when its node signs by version %d', async version => {
    gateway
      .on(STATUS, status(node('10.0.0.1', 'full'), node('10.0.0.2', 'full')))
      .on(nodeRoute(1), info(`,"signing_version":${version}`))
      .on(nodeRoute(2), info(SIGNS));
    expect(await failureOf(read())).toMatchObject({ code: 'SIGNING_VERSION' });
  });

  test('is refused when its node signs with another tag', async () => {
    gateway
      .on(STATUS, status(node('10.0.0.1', 'full')))
      .on(nodeRoute(1), info(',"signing_version":2,"signing_tag":"ZBC-TY"'));
    expect(await failureOf(read())).toMatchObject({ code: 'SIGNING_TAG' });
  });

  test('is refused when its node is on another chain, with both genesis hashes in the error', async () => {
    const other = 'cd'.repeat(32);
    gateway.on(STATUS, status(node('10.0.0.1', 'full'))).on(nodeRoute(1), info(SIGNS, other));
    expect(await failureOf(read())).toMatchObject({
      code: 'NODE_CHAIN_MISMATCH',
      facts: { node: '10.0.0.1:8884', nodeGenesisHash: other, genesisHash: GENESIS },
    });
  });

  test('is still refused if it is not on the chain that the caller named', async () => {
    gateway.on(STATUS, status(node('10.0.0.1', 'full'))).on(nodeRoute(1), info(SIGNS));
    expect(await failureOf(read({ expected: new Uint8Array(32) }))).toMatchObject({ code: 'WRONG_CHAIN' });
  });

  test('leads to requests to at most three nodes, which are reported as up and have valid addresses', async () => {
    const wrong = [
      node('10.0.0.9', 'full', false),
      node('evil.example', 'full'),
      node('10.0.0.8', 'full', true, 0),
    ];
    const silent = [1, 2, 3, 4].map(digit => node(`10.0.0.${digit}`, 'full'));
    gateway.on(STATUS, status(...wrong, ...silent));
    expect(await failureOf(read())).toMatchObject({ code: 'SIGNING_VERSION' });
    expect(gateway.routes.slice(2)).toEqual([1, 2, 3].map(nodeRoute));
  });

  test.each<[string, ReturnType<typeof answer>]>([
    ['does not report its nodes', answer('', 404)],
    ['reports malformed nodes', answer('{"nodes":[{"ip":1}]}')],
    ['has no nodes', status()],
  ])('is refused when it %s', async (_name, reply) => {
    gateway.on(STATUS, reply);
    expect(await failureOf(read())).toMatchObject({ code: 'SIGNING_VERSION' });
  });

  test('leads to no request to a node after an abort', async () => {
    gateway
      .on(STATUS, status(node('10.0.0.1', 'full'), node('10.0.0.2', 'full')))
      .on(nodeRoute(1), 'silence');
    const controller = new AbortController();
    const call = failureOf(read({ signal: controller.signal }));
    while (!gateway.routes.includes(nodeRoute(1))) await new Promise(resolve => setTimeout(resolve, 5));
    controller.abort(new Error('enough'));
    expect(await call).toMatchObject({ code: 'ABORTED', cause: { message: 'enough' } });
    expect(gateway.routes).not.toContain(nodeRoute(2));
  });
});
