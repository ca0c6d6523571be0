import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';
import { errorOf, GatewayFixture, startNodes } from '../../../testkit/gateway/gateway-fixture.js';
import { json, RecordingNode, silence } from '../../../testkit/gateway/recording-node.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { until } from '../../../testkit/time/until.js';

const KEY = { authorization: `Bearer ${gatewayConfig().adminApiKey}` };
const WRITES = ['add', 'remove', 'refresh'];

let fixture: GatewayFixture;
/** The only node in the configuration. */
let configured: RecordingNode;
/** A running node that is not in the gateway's configuration. */
let stranger: RecordingNode;

beforeEach(async () => {
  const nodes = await startNodes({ full: [json(200, { from: 'configured' })] });
  configured = nodes[0]!;
  stranger = await RecordingNode.start('archival', json(200, { from: 'stranger' }));
  fixture = await GatewayFixture.open(nodes);
});

afterEach(async () => {
  await fixture.close();
  await stranger.stop();
});

const entry = (node: RecordingNode, source: string, changes = {}) => ({
  ip: '127.0.0.1',
  port: node.port,
  role: node.role,
  source,
  answers: true,
  ...changes,
});

async function write(what: string, document?: unknown) {
  const { status, body } = await fixture.post(
    `/gateway/allowlist/${what}`,
    JSON.stringify(document) ?? '',
    KEY,
  );
  return { status, ...JSON.parse(body.toString()) };
}

const read = async () => JSON.parse((await fixture.get('/gateway/allowlist')).body.toString());
const address = (node: RecordingNode) => ({ ip: node.ip, port: node.port });

test('the allowlist can be read without a key', async () => {
  expect(await read()).toEqual({ allowlist: [entry(configured, 'static')] });
});

describe('add', () => {
  test('admits a node, checks it, and routes to it', async () => {
    const reply = await write('add', { ...address(stranger), role: 'archival' });
    const allowlist = [entry(configured, 'static'), entry(stranger, 'admin')];
    expect(reply).toEqual({ status: 200, success: true, added: true, allowlist });
    expect(await read()).toEqual({ allowlist });
    const answer = await fixture.get('/api/v1/blocks/latest');
    expect(JSON.parse(answer.body.toString())).toEqual({ from: 'stranger' });
  });

  test('reports a node that does not answer', async () => {
    await stranger.stop();
    const { added, allowlist } = await write('add', address(stranger));
    expect([added, allowlist[1]]).toEqual([true, entry(stranger, 'admin', { role: 'full', answers: false })]);
    await stranger.listen();
  });

  test('waits only seconds for a silent node', async () => {
    await fixture.gateway.stop();
    const timeouts = { connectMs: 2000, answerMs: 15_000, pieceMs: 1000 };
    fixture = await GatewayFixture.open([configured], { timeouts });
    stranger.answerCheck = silence;
    const startedMs = performance.now();
    expect(await write('add', address(stranger))).toMatchObject({ status: 200, added: true });
    expect(performance.now() - startedMs).toBeLessThan(10_000);
    expect((await fixture.get('/api/v1/blocks/latest')).status).toBe(200);
  });

  test('uses the default port and role full', async () => {
    const { allowlist } = await write('add', { ip: '127.0.0.9' });
    expect(allowlist[1]).toMatchObject({ ip: '127.0.0.9', port: 8884, role: 'full' });
  });

  test('refuses to change the role of a listed node, which must first be removed', async () => {
    await write('add', address(stranger));
    expect(await write('add', address(stranger))).toMatchObject({ added: false });
    for (const [node, remedy] of [
      [stranger, 'remove it first'],
      [configured, 'change static_nodes'],
    ] as const) {
      expect(await write('add', { ...address(node), role: 'full' })).toMatchObject({ added: false });
      expect(await write('add', { ...address(node), role: 'archival' })).toMatchObject({
        status: 409,
        error: `The node is listed with the role "full"; ${remedy}`,
      });
    }
    await write('remove', address(stranger));
    expect((await write('add', { ...address(stranger), role: 'archival' })).allowlist).toEqual([
      entry(configured, 'static'),
      entry(stranger, 'admin'),
    ]);
  });

  test('refuses another role for a configured node that was removed', async () => {
    await write('remove', address(configured));
    expect(await write('add', { ...address(configured), role: 'archival' })).toMatchObject({ status: 409 });
    expect(await write('add', { ...address(configured), role: 'full' })).toMatchObject({ added: true });
  });

  test.each<[unknown, string]>([
    [undefined, 'object'],
    [null, 'object'],
    [[], 'object'],
    ['192.0.2.1', 'object'],
    [{}, 'ip'],
    [{ ip: 5 }, 'ip'],
    [{ ip: '' }, 'ip'],
    [{ ip: 'localhost' }, 'ip'],
    [{ ip: '127.1' }, 'ip'],
    [{ ip: '2130706433' }, 'ip'],
    [{ ip: '0x7f.0.0.1' }, 'ip'],
    [{ ip: '127.0.0.01' }, 'ip'],
    [{ ip: '127.0.0.1 ' }, 'ip'],
    [{ ip: '127.0.0.1:80' }, 'ip'],
    [{ ip: '127.0.0.1/8' }, 'ip'],
    [{ ip: '256.0.0.1' }, 'ip'],
    [{ ip: '::1' }, 'ip'],
    [{ ip: '::ffff:127.0.0.1' }, 'ip'],
    [{ ip: '0.0.0.0' }, 'ip'],
    [{ ip: '255.255.255.255' }, 'ip'],
    [{ ip: '224.0.0.1' }, 'ip'],
    [{ ip: '192.0.2.1', Port: 8885n.toString() }, 'Port is not a known field'],
    [{ ip: '192.0.2.1', rol: 'archival' }, 'rol is not a known field'],
    [{ ip: '192.0.2.1', port: 0 }, 'port'],
    [{ ip: '192.0.2.1', port: 65_536 }, 'port'],
    [{ ip: '192.0.2.1', port: -1 }, 'port'],
    [{ ip: '192.0.2.1', port: 80.5 }, 'port'],
    [{ ip: '192.0.2.1', port: '80' }, 'port'],
    [{ ip: '192.0.2.1', port: null }, 'port'],
    [{ ip: '192.0.2.1', port: 80, role: 'relay' }, 'role'],
    [{ ip: '192.0.2.1', port: 80, role: null }, 'role'],
  ])('refuses %j, naming the field', async (document, field) => {
    const reply = await write('add', document);
    const wanted = document === undefined ? 'must be a JSON object' : field;
    expect(reply).toMatchObject({ status: 400, success: false, error: expect.stringMatching(wanted) });
    expect((await read()).allowlist).toHaveLength(1);
  });
});

test('refuses a body that is not UTF-8, even in an unused field', async () => {
  for (const what of WRITES) {
    const body = Buffer.from(`{"ip":"192.0.2.1","port":80,"note":"\xff"}`, 'latin1');
    const answer = await fixture.post(`/gateway/allowlist/${what}`, body, KEY);
    expect([answer.status, errorOf(answer).error]).toEqual([400, 'Request body is not valid UTF-8']);
  }
  expect((await read()).allowlist).toHaveLength(1);
});

describe('remove', () => {
  test('removes an added node at once', async () => {
    await write('add', address(stranger));
    const reply = await write('remove', address(stranger));
    expect(reply).toEqual({
      status: 200,
      success: true,
      removed: true,
      allowlist: [entry(configured, 'static')],
    });
    expect(await write('remove', address(stranger))).toMatchObject({ success: true, removed: false });
  });

  test('keeps the role of a configured node that is removed and added again, in the state file too', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'allowlist-'));
    const stateFile = join(directory, 'state.json');
    const archival = await RecordingNode.start('archival', json(200, {}));
    const other = await GatewayFixture.open([configured, archival], { stateFile });
    for (const what of ['remove', 'add']) {
      const { status } = await other.post(
        `/gateway/allowlist/${what}`,
        JSON.stringify(address(archival)),
        KEY,
      );
      expect(status).toBe(200);
    }
    await other.close();
    await archival.stop();
    expect(JSON.parse(readFileSync(stateFile, 'utf8')).added).toEqual([
      { ip: '127.0.0.1', port: archival.port, role: 'archival' },
    ]);
    rmSync(directory, { recursive: true });
  });

  test('removes a configured node until it is added again', async () => {
    expect(await write('remove', address(configured))).toMatchObject({ removed: true, allowlist: [] });
    expect(await write('refresh')).toMatchObject({ allowlist: [] });
    expect((await fixture.get('/api/v1/node/info')).status).toBe(503);
    expect(await write('add', address(configured))).toMatchObject({
      added: true,
      allowlist: [entry(configured, 'static')],
    });
  });

  test('reports the invalid field', async () => {
    expect(await write('remove', { ip: 'x' })).toMatchObject({
      status: 400,
      error: expect.stringContaining('ip'),
    });
  });
});

describe('refresh', () => {
  test('checks every node again', async () => {
    await configured.stop();
    expect((await read()).allowlist).toEqual([entry(configured, 'static')]);
    expect(await write('refresh', {})).toEqual({
      status: 200,
      success: true,
      allowlist: [entry(configured, 'static', { answers: false })],
    });
    await configured.listen();
    expect((await write('refresh')).allowlist).toEqual([entry(configured, 'static')]);
  });

  test('needs neither a body nor a content type', async () => {
    const url = `${fixture.gateway.url}/gateway/allowlist/refresh`;
    expect((await httpRequest('POST', url, { headers: KEY })).status).toBe(200);
    expect((await httpRequest('POST', url, { headers: KEY, body: 'x' })).status).toBe(415);
    expect((await fixture.post('/gateway/allowlist/refresh', '{', KEY)).status).toBe(400);
  });
});

describe('the admin key', () => {
  test('is checked before the body is read', async () => {
    expect((await fixture.post('/gateway/allowlist/add', '{')).status).toBe(401);
  });

  test('is accepted in X-API-Key', async () => {
    const headers = { 'x-api-key': gatewayConfig().adminApiKey };
    expect((await fixture.post('/gateway/allowlist/refresh', '{}', headers)).status).toBe(200);
  });

  test('is not accepted in the URL', async () => {
    const path = `/gateway/allowlist/refresh?api_key=${gatewayConfig().adminApiKey}`;
    expect((await fixture.post(path, '{}')).status).toBe(401);
  });
});

test('a removed node gets no more requests, while its running requests end', async () => {
  const answers: (() => void)[] = [];
  configured.answer = (...exchange) => void answers.push(() => json(200, { late: true })(...exchange));
  const running = [fixture.get('/api/v1/accounts/x'), fixture.post('/api/v1/transactions', '{}')];
  await until(() => answers.length === 2);
  await write('remove', address(configured));
  expect((await fixture.get('/api/v1/x')).status).toBe(503);
  for (const answer of answers) answer();
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
});

test('an entry of the list can be sent back', async () => {
  const [listed] = (await read()).allowlist;
  expect(await write('add', listed)).toMatchObject({ status: 200, added: false });
});
