import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect } from 'node:http2';
import { join } from 'node:path';
import { selfSign } from '../../../testkit/gateway/certificate.js';
import { GatewayFixture } from '../../../testkit/gateway/gateway-fixture.js';
import { RecordingNode } from '../../../testkit/gateway/recording-node.js';
import { freePort } from '../../../testkit/network/free-port.js';
import { httpRequest } from '../../../testkit/network/http.js';
import { openTestDirectory } from '../../../testkit/process/temporary-directory.js';
import { readText, root } from '../../../testkit/repository/repository.js';
import { until } from '../../../testkit/time/until.js';

const DEPLOY = join(root, 'gateway/deploy');
/** Enough requests that a proxy that picks gateways at random picks both. */
const REQUESTS = 10;
const directory = openTestDirectory();

const readDeploy = (name: string) => readFileSync(join(DEPLOY, name), 'utf8');

/** Writes the file with some words replaced, each of which it must contain. */
function write(name: string, words: readonly (readonly [string, string])[]): string {
  const text = words.reduce((changed, [old, fresh]) => {
    expect(changed).toContain(old);
    return changed.replaceAll(old, fresh);
  }, readDeploy(name));
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
}

describe('the systemd unit', () => {
  test('is valid, and has a low exposure in systemd-analyze', () => {
    const path = write('zbc-gateway.service', [['/usr/local/bin/zbc-signer', '/bin/true']]);
    const socket = write('zbc-gateway.socket', []);
    const verified = spawnSync('systemd-analyze', ['verify', path, socket], { encoding: 'utf8' });
    expect([verified.status, verified.stdout, verified.stderr]).toEqual([0, '', '']);
    const words = ['security', '--offline=true', '--threshold=20', path];
    expect(spawnSync('systemd-analyze', words).status).toBe(0);
  });
});

test('a renewed certificate is copied with the group of the gateway, and the gateway is then reloaded', () => {
  const [lineage, target] = [join(directory, 'live'), join(directory, 'etc')];
  for (const made of [lineage, target]) mkdirSync(made);
  for (const name of ['fullchain.pem', 'privkey.pem', 'cert.pem']) writeFileSync(join(lineage, name), name);
  writeFileSync(join(directory, 'systemctl'), '#!/bin/sh\nif [ "$1" = reload ]; then echo "$@"; fi\n', {
    mode: 0o755,
  });
  const hook = write('take-certificate.sh', [
    ['-g zbc-gateway-config', `-g ${process.getgid!()}`],
    ['/etc/zbc-gateway/\n', `${target}/\n`],
  ]);
  const env = { PATH: `${directory}:${process.env.PATH}`, RENEWED_LINEAGE: lineage };
  expect(execFileSync('sh', [hook], { env, encoding: 'utf8' })).toBe('reload zbc-gateway\n');
  expect(readdirSync(target).sort()).toEqual(['fullchain.pem', 'privkey.pem']);
  expect(readFileSync(join(target, 'privkey.pem'), 'utf8')).toBe('privkey.pem');
  expect(statSync(join(target, 'privkey.pem')).mode & 0o777).toBe(0o640);
});

describe('the alerts for Prometheus', () => {
  test('are valid, and fire when they should', () => {
    const promtool = (what: string, path: string) =>
      execFileSync('promtool', [what, 'rules', join(root, path)], { encoding: 'utf8' });
    expect(promtool('check', 'gateway/deploy/alerts.yml')).toContain('SUCCESS');
    expect(promtool('test', 'test/qa/gateway/alerts-test.yml')).toContain('SUCCESS');
  });

  test('name only metrics that exist', () => {
    const documented = readText('docs/gateway/running.md');
    const named = [...readDeploy('alerts.yml').matchAll(/\bzbc_gateway_\w+/g)].map(([name]) => name);
    expect(new Set(named).size).toBeGreaterThan(5);
    expect(named.filter(name => !documented.includes(`\`${name}\``))).toEqual([]);
  });
});

interface Proxy {
  name: string;
  /** Writes the proxy's files and returns its command. */
  prepare(ports: {
    plain: number;
    tls: number;
    gateways: readonly [number, number];
  }): readonly [string, ...string[]];
}

const PROXIES: readonly Proxy[] = [
  {
    name: 'nginx',
    prepare: ({ plain, tls, gateways: [one, two] }) => {
      const site = write('nginx.conf', [
        ['server 127.0.0.1:8883;', `server 127.0.0.1:${one}; server 127.0.0.1:${two};`],
        ['/etc/letsencrypt/live/gateway.example', directory],
        ['listen 80;', `listen 127.0.0.1:${plain};`],
        ['listen 443 ', `listen 127.0.0.1:${tls} `],
        ['    listen [::]:80;\n', ''],
        ['    listen [::]:443 ssl http2;\n', ''],
        ['gateway.example', 'gateway.test'],
      ]);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        kind => `${kind}_temp_path ${directory}/${kind};`,
      );
      const main = join(directory, 'main.conf');
      writeFileSync(
        main,
        `daemon off; user root; pid ${directory}/nginx.pid; error_log stderr; events {}
        http { access_log off; ${temporary.join(' ')} include ${site}; }`,
      );
      return ['nginx', '-e', 'stderr', '-c', main];
    },
  },
  {
    name: 'caddy',
    prepare: ({ plain, tls, gateways: [one, two] }) => {
      const site = write('Caddyfile', [
        ['127.0.0.1:8883', `127.0.0.1:${one} 127.0.0.1:${two}`],
        [
          'gateway.example, *.gateway.example {',
          `{\n\tadmin off\n\tdefault_bind 127.0.0.1\n\thttp_port ${plain}\n\thttps_port ${tls}\n}\n` +
            `gateway.test, *.gateway.test {\n\ttls ${directory}/fullchain.pem ${directory}/privkey.pem`,
        ],
      ]);
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', site];
    },
  },
  {
    name: 'haproxy',
    prepare: ({ plain, tls, gateways: [one, two] }) => {
      const config = write('haproxy.cfg', [
        ['server one 127.0.0.1:8883', `server two 127.0.0.1:${two} check\n    server one 127.0.0.1:${one}`],
        ['bind :80', `bind 127.0.0.1:${plain}`],
        ['bind :443', `bind 127.0.0.1:${tls}`],
        ['/etc/haproxy/gateway.pem', join(directory, 'gateway.pem')],
      ]);
      return ['haproxy', '-db', '-f', config];
    },
  },
];

describe.each(PROXIES)('behind $name', ({ name, prepare }) => {
  let node: RecordingNode;
  /** Two gateways, of which a client reaches one. */
  let fixtures: readonly GatewayFixture[];
  let proxy: ChildProcess;
  let session: ClientHttp2Session;
  let plain: number;
  let said = '';

  beforeAll(async () => {
    const { cert, key } = await selfSign('gateway.test');
    writeFileSync(join(directory, 'fullchain.pem'), cert);
    writeFileSync(join(directory, 'privkey.pem'), key);
    writeFileSync(join(directory, 'gateway.pem'), `${cert}\n${key}`);
    node = await RecordingNode.start('full');
    const open = () =>
      GatewayFixture.open([node], {
        trustedProxies: ['127.0.0.1'],
        publicUrl: 'https://gateway.test',
        rateLimit: { requests: 1000, writes: 0 },
      });
    fixtures = [await open(), await open()];
    plain = await freePort();
    const tls = await freePort();
    const [one, two] = fixtures.map(({ gateway }) => Number(new URL(gateway.url).port));
    const [command, ...words] = prepare({ plain, tls, gateways: [one!, two!] });
    const env = { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
    proxy = spawn(command, words, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [proxy.stdout!, proxy.stderr!]) stream.on('data', text => (said += text));
    const ready = async () => {
      if (proxy.exitCode !== null) throw new Error(`${name}: ${said}`);
      session = connect(`https://127.0.0.1:${tls}`, { ca: cert, servername: 'gateway.test' });
      session.on('error', () => {});
      return once(session, 'connect').then(
        () => true,
        () => false,
      );
    };
    await until(ready);
    // haproxy is ready after its first check.
    await until(async () => (await get('/gateway/health/live')).status === 200);
  });

  afterAll(async () => {
    session?.destroy();
    if (proxy.exitCode === null) {
      const gone = once(proxy, 'exit');
      proxy.kill('SIGTERM');
      await gone;
    }
    for (const { gateway } of fixtures) await gateway.stop();
    await node.stop();
  });

  async function get(path: string, headers: Record<string, string> = {}, host = 'gateway.test') {
    const stream = session.request({ ':path': path, ':authority': host, ...headers });
    const [answer] = (await once(stream, 'response')) as [Record<string, string | number>];
    const body = (await stream.toArray()).join('');
    return { status: Number(answer[':status']), headers: answer, body };
  }

  test('clients can use HTTP/2, and the path reaches the node byte for byte', async () => {
    const path = "/api/v1/a%20b/~c;d=1/:@!$&'()*+,=?x=%2F%2e";
    expect((await get(path)).status).toBe(200);
    expect(node.received.at(-1)!.path).toBe(path);
  });

  test('the gateway sees the client address that the proxy saw, not a claimed address, and each client stays on one gateway', async () => {
    const clients = fixtures.map(({ gateway }) => {
      const seen: string[] = [];
      gateway.context.answers.listen(({ path, ip }) => path === '/gateway/status' && seen.push(ip));
      return seen;
    });
    for (let end = 1; end <= REQUESTS; end += 1) {
      await get('/gateway/status', { 'x-forwarded-for': `198.51.100.${end}` });
    }
    await until(() => clients.flat().length === REQUESTS);
    expect(new Set(clients.flat())).toEqual(new Set(['127.0.0.1']));
    expect(clients.map(seen => seen.length).sort()).toEqual([0, REQUESTS]);
  });

  test('refusals of the gateway reach the client', async () => {
    expect((await get('/api/v1/a/%2e%2e/b')).status).toBe(400);
    expect((await get('/admin/state')).status).toBe(401);
  });

  test('plain HTTP is redirected', async () => {
    const asked = await httpRequest('GET', `http://127.0.0.1:${plain}/x?y`, {
      headers: { host: 'gateway.test' },
    });
    expect([asked.status, asked.headers.location]).toEqual([
      308,
      expect.stringMatching(/^https:\/\/gateway\.test(:\d+)?\/x\?y$/),
    ]);
  });

  test('a node can be reached by its hostname', async () => {
    const host = `ip-127-0-0-1-p${node.port}.gateway.test`;
    expect(await get('/api/v1/of-one', {}, host)).toMatchObject({ status: 200, body: '{"from":"full"}' });
    expect(node.received.at(-1)!.path).toBe('/api/v1/of-one');
    expect((await get('/gateway/status', {}, host)).status).toBe(404);
  });
});
