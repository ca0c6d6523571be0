import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Archive } from './archival/archive.js';
import { Network } from './network.js';

const text = readFileSync(new URL('../../../docs/GATEWAY.md', import.meta.url), 'utf8');

/** `GET /path`, from the tables of one heading of docs/GATEWAY.md. */
function routesUnder(heading: string): string[] {
  const [, section = ''] = text.split(`### ${heading}\n`);
  const [own = ''] = section.split(/^##/m);
  return [...own.matchAll(/^\| `((?:GET|POST) \S+)` \|/gm)].map(match => match[1]!);
}

const shared = routesUnder('Routes of both kinds of node');
const full = routesUnder('Routes of a full node alone');
const archival = routesUnder('Routes of an archival node alone');

function expectServed(app: FastifyInstance, listed: readonly string[], others: readonly string[]): void {
  const has = (route: string) => {
    const [method, url] = route.split(' ');
    return app.hasRoute({ method: method as 'GET', url: url! });
  };
  expect(listed.filter(route => !has(route))).toEqual([]);
  expect(others.filter(has)).toEqual([]);
  const served = app.printRoutes({ commonPrefix: false }).match(/\b(GET|POST)\b/g) ?? [];
  expect(served).toHaveLength(listed.length);
}

it('docs/GATEWAY.md lists every route of a full node, and no other', async () => {
  const network = await Network.open();
  await network.app.ready();
  expectServed(network.app, [...shared, ...full], archival);
  await network.close();
});

it('docs/GATEWAY.md lists every route of an archival node, and no other', async () => {
  const archive = await Archive.open();
  await archive.app.ready();
  expectServed(archive.app, [...shared, ...archival], full);
  await archive.close();
});
