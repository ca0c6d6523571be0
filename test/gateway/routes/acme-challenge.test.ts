import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../testkit/free-port.js';
import { GatewayScene } from '../../../testkit/gateway/gateway-scene.js';
import { httpRequest } from '../../../testkit/http.js';
import { TestDirectory } from './test-directory.js';

const TOKEN = 'evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr_oA';
const ANSWER = `${TOKEN}.9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI`;
const PATH = '/.well-known/acme-challenge';

let directory: TestDirectory;
let scene: GatewayScene;
let plainUrl: string;

beforeAll(async () => {
  directory = new TestDirectory();
  // As `certbot certonly --webroot -w DIR` writes it.
  directory.write(`webroot${PATH}/${TOKEN}`, ANSWER);
  directory.write(`webroot${PATH}/long`, 'x'.repeat(2000));
  directory.write('webroot/secret', 'not published');
  symlinkSync('../../secret', join(directory.path, 'webroot', PATH, 'link'));
  const redirectPort = await freePort();
  plainUrl = `http://127.0.0.1:${redirectPort}`;
  const acmeDir = join(directory.path, 'webroot');
  scene = await GatewayScene.open([], { acmeDir, redirectPort, tls: { selfSigned: true } });
});

afterAll(async () => {
  await scene.close();
  directory.remove();
});

const ask = (path: string, host = 'gateway.test') =>
  httpRequest('GET', plainUrl + path, { headers: { host } });

it('answers a certificate authority over plain HTTP, where all else is redirected', async () => {
  const { status, body, headers } = await ask(`${PATH}/${TOKEN}`);
  expect([status, body.toString(), headers['x-content-type-options']]).toEqual([200, ANSWER, 'nosniff']);
  expect((await ask('/secret')).status).toBe(308);
});

it.each(['none', 'link', 'long', '', '../../secret', '%2e%2e%2fsecret', '.', `${TOKEN}/x`])(
  'sends nothing for the token %j',
  async token => {
    const { status, body } = await ask(`${PATH}/${token}`);
    expect([status, body.length]).toEqual([308, 0]);
  },
);

it('answers for its own names only', async () => {
  expect((await ask(`${PATH}/${TOKEN}`, 'evil.example')).status).toBe(403);
});

it('answers at its own address too, for a proxy in front', async () => {
  const other = await GatewayScene.open([], { acmeDir: join(directory.path, 'webroot') });
  expect((await other.get(`${PATH}/${TOKEN}`)).body.toString()).toBe(ANSWER);
  for (const name of ['link', 'long', 'none']) expect((await other.get(`${PATH}/${name}`)).status).toBe(404);
  await other.close();
});
