import { readFileSync } from 'node:fs';
import { Network } from './network.js';

it('docs/GATEWAY.md lists every route of the development network, and no other', async () => {
  const text = readFileSync(new URL('../../../docs/GATEWAY.md', import.meta.url), 'utf8');
  const listed = [...text.matchAll(/^\| `(GET|POST) (\S+)` \|/gm)].map(([, method, url]) => ({
    method: method!,
    url: url!,
  }));
  const network = await Network.open();
  const served = network.app.printRoutes({ commonPrefix: false }).match(/\b(GET|POST)\b/g) ?? [];
  expect(listed.filter(route => !network.app.hasRoute(route))).toEqual([]);
  expect(listed).toHaveLength(served.length);
  await network.close();
});
