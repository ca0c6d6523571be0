import { Emulator, type EmulatorServer } from '@zbc-signer/emulator';
import { CommandLog } from '#emulator/command-log/command-log.js';
import { createApiServer } from '#emulator/server/api-server.js';
import type { OpenApiDocument } from '#emulator/server/openapi.js';
import { EventLog } from '#emulator/server/routes/events.js';
import { startServer } from '../../../../testkit/device/device-host.js';
import { callJson, httpRequest, openRequest } from '../../../../testkit/network/http.js';

let server: EmulatorServer;
let document: OpenApiDocument;

beforeAll(async () => {
  server = await startServer();
  document = await callJson('GET', `${server.api}/swagger/openapi.json`);
});

afterAll(() => server.close());

/** The REST interface that test tools expect, from the description of Speculos's own. */
const EXPECTED = [
  'DELETE /events',
  'GET /',
  'GET /events',
  'GET /screenshot',
  'GET /swagger/',
  'POST /apdu',
  'POST /automation',
  'POST /button/{name}',
  'POST /finger',
  'POST /restart',
  'POST /ticker',
  'POST /ticker/',
];

const documented = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
  );

const operation = (method: string, path: string) =>
  document.paths[path]![method] as {
    summary?: string;
    parameters?: { name: string; in: string; required: boolean }[];
    requestBody?: { content: { 'application/json': { schema: { properties: object } } } };
    responses: object;
  };

test('documents every operation that test tools expect', () => {
  expect(documented()).toEqual(expect.arrayContaining(EXPECTED));
});

test('documents no operation that the server does not have', async () => {
  for (const entry of documented()) {
    const [method, path] = entry.split(' ') as [string, string];
    const { sent, response } = await openRequest(method, server.api + path.replace('{name}', 'left'), {
      headers: { origin: 'http://localhost' },
      ...(method === 'POST' && { body: 'not a document' }),
    });
    // The stream does not end by itself.
    sent.destroy();
    expect([entry, response.statusCode]).toEqual([entry, method === 'POST' ? 400 : 200]);
  }
});

test('documents every route that the server has', async () => {
  const emulator = await Emulator.start();
  const routes = createApiServer(emulator, [new CommandLog(emulator), new EventLog(emulator)]);
  await routes.ready();
  expect(documented().sort()).toEqual(operationsOf(routes.printRoutes({ commonPrefix: false })).sort());
  emulator.stop();
  await routes.close();
});

test('names the bodies, the queries and the paths that the routes check', () => {
  const bodyOf = (path: string) =>
    Object.keys(operation('post', path).requestBody!.content['application/json'].schema.properties);
  expect(bodyOf('/apdu')).toEqual(['data', 'channel', 'tick_timeout']);
  expect(bodyOf('/automation')).toEqual(['version', 'rules']);
  expect(bodyOf('/button/{name}')).toEqual(['action', 'delay']);
  expect(bodyOf('/ticker/')).toEqual(['action']);
  expect(operation('get', '/events').parameters).toMatchObject([
    { name: 'stream', in: 'query', required: false },
    { name: 'currentscreenonly', in: 'query', required: false },
  ]);
  expect(operation('post', '/button/{name}').parameters).toMatchObject([
    { name: 'name', in: 'path', required: true },
  ]);
});

test.each(['/swagger', '/swagger/'])(
  'lists the operations on a page at %s that loads nothing from other origins',
  async path => {
    const { status, headers, body } = await httpRequest('GET', server.api + path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    const page = body.toString();
    for (const entry of EXPECTED) expect(page).toContain(`<code>${entry.split(' ')[1]}</code>`);
    expect(page).not.toMatch(/<script|src=|https?:/);
  },
);

/** `METHOD /path` for the routes in Fastify's printed tree, with four columns per level. */
function operationsOf(tree: string): string[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap(line => {
    const [, indentation = '', part, methods = ''] = /^(.*)[├└]── (\S+)(?: \((.+)\))?/.exec(line) ?? [];
    if (part === undefined) return [];
    const level = indentation.length / 4;
    parents[level] = part;
    const path = parents
      .slice(0, level + 1)
      .join('')
      .replace(/:(\w+)/, '{$1}');
    // HEAD exists for every GET.
    const named = methods.split(', ').filter(method => method !== '' && method !== 'HEAD');
    return named.map(method => `${method} ${path}`);
  });
}
