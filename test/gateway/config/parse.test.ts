import { parseJson } from '@zbc-signer/chain';
import { ConfigError } from '#gateway/base/errors.js';
import { parseGatewayConfig } from '#gateway/config/parse.js';

const KEY = 'k3y-'.repeat(8);
const GENESIS = 'AB'.repeat(32);
const least = { gateway_host: 'gateway.example', admin_api_key: KEY };

function parse(fields: Record<string, unknown>) {
  return parseGatewayConfig(parseJson(JSON.stringify({ ...least, ...fields })), '/etc/zbc');
}

/** Returns the faults of these fields, one per line. */
function faultsOf(json: unknown): readonly string[] {
  try {
    parseGatewayConfig(json, '/etc/zbc');
  } catch (error) {
    if (error instanceof ConfigError && error.code === 'CONFIG_INVALID') return error.facts.faults;
    throw error;
  }
  return [];
}

const faultsWith = (fields: Record<string, unknown>) =>
  faultsOf(parseJson(JSON.stringify({ ...least, ...fields })));

test('accepts a minimal configuration', () => {
  expect(parse({})).toMatchObject({ gatewayHost: 'gateway.example', mode: 'private', adminApiKey: KEY });
});

test('accepts every field', () => {
  const config = parseGatewayConfig(
    parseJson(`{
      "gateway_host": "Gateway.Example", "other_hosts": ["WWW.example", "192.0.2.1"], "public_url": "https://WWW.example:8443/", "mode": "public",
      "listen": "[::]:443", "tls": {"cert_file": "tls/cert.pem", "key_file": "/key.pem"},
      "static_nodes": [{"url": "http://192.0.2.10:8884"}, {"url": "https://[2001:DB8:0::1]/", "role": "archival"},
        {"url": "https://Full_Node.internal:1", "ca_file": "ca.pem"}],
      "allow_private_nodes": true, "genesis_hash": "0x${GENESIS}", "health_interval_ms": 1000,
      "admin_api_key": "${KEY}", "state_file": "allowlist.json",
      "downloads_dir": "files", "releases_dir": "../releases",
      "relay": {"address": "relay.example:3478", "rate": 18446744073709551615, "genesis_hash": "${GENESIS}"},
      "faucet": true, "rate_limit": {"requests": 0}, "trusted_proxies": ["127.0.0.1", "10.0.0.0/8", "fd00::/8"],
      "metrics_listen": "127.0.0.1:9100"
    }`),
    '/etc/zbc',
  );
  expect(config).toMatchObject({
    gatewayHost: 'gateway.example',
    otherHosts: ['www.example', '192.0.2.1'],
    publicUrl: 'https://www.example:8443',
    tls: { certFile: '/etc/zbc/tls/cert.pem', keyFile: '/key.pem' },
    staticNodes: [
      { ip: '192.0.2.10', port: 8884, role: 'full' },
      { ip: '2001:db8::1', port: 443, role: 'archival', tls: {} },
      {
        ip: '0.0.0.0',
        host: 'full_node.internal',
        port: 1,
        role: 'full',
        tls: { caFile: '/etc/zbc/ca.pem' },
      },
    ],
    genesisHash: GENESIS.toLowerCase(),
    stateFile: '/etc/zbc/allowlist.json',
    downloadsDir: '/etc/zbc/files',
    releasesDir: '/etc/releases',
    relay: { address: 'relay.example:3478', rate: 2n ** 64n - 1n, genesisHash: GENESIS.toLowerCase() },
    rateLimit: { requests: 0, writes: 60 },
    listenHost: '::',
    listenPort: 443,
    limits: { requestsPerClient: 100, connections: 16_384 },
    metrics: { host: '127.0.0.1', port: 9100 },
  });
});

describe('a fault is reported with its path', () => {
  test.each<[string, Record<string, unknown>, begins: string]>([
    ['a number with a fraction', { hsts_seconds: 1.5 }, 'hsts_seconds must be of type integer'],
    ['a number as a string', { hsts_seconds: '60' }, 'hsts_seconds must be of type integer'],
    ['a number that is too large', { hsts_seconds: 63_072_001 }, 'hsts_seconds must be <= 63072000'],
    [
      'a node that is not an object',
      { static_nodes: ['192.0.2.1:1'] },
      'static_nodes[0] must be a JSON object',
    ],
    ['a missing URL', { static_nodes: [{ role: 'full' }] }, 'static_nodes[0].url is missing'],
    [
      'a role',
      { static_nodes: [{ url: 'http://192.0.2.1', role: 'relay' }] },
      'static_nodes[0].role must be',
    ],
    [
      'a node that is named twice',
      {
        static_nodes: [{ url: 'http://Node.example' }, { url: 'https://node.example:80', role: 'archival' }],
      },
      'static_nodes[1] duplicates an earlier entry',
    ],
    [
      'a node of this machine that is listed twice',
      { static_nodes: [{ url: 'http://127.0.0.1:8884' }, { url: 'http://localhost:8884' }] },
      'static_nodes[1] duplicates an earlier entry',
    ],
    [
      'a list that is not an array',
      { trusted_proxies: '10.0.0.0/8' },
      'trusted_proxies must be of type array',
    ],
    ['a proxy', { trusted_proxies: ['10.0.0.0/33'] }, 'trusted_proxies[0] must be'],
    ['a proxy that is only a number', { trusted_proxies: ['10'] }, 'trusted_proxies[0] must be'],
    ['a mode', { mode: 'Public' }, 'mode must be "private" or "public"'],
    ['a misspelled field', { gateway_hots: 'x' }, 'gateway_hots is not a known field'],
    ['a misspelled nested field', { rate_limit: { request: 1 } }, 'rate_limit.request is not a known'],
    ['a field that resembles no known field', { 'con\u001bst': 1 }, '"con?st" is not a known field'],
    ['a key that is pasted as a field', { ['Ab1'.repeat(11)]: 1 }, '"…" is not a known field'],
    ['a field that every object inherits', { constructor: 1 }, 'constructor is not a known field'],
    ['half a certificate', { tls: { cert_file: 'c.pem' } }, 'tls.key_file is missing'],
    ['no certificate', { tls: {} }, 'tls.key_file is missing'],
    [
      'one port for two listeners',
      { metrics_listen: '[::1]:8883' },
      'metrics_listen must have another port than listen',
    ],
    ['hsts_seconds without HTTPS', { hsts_seconds: 60 }, 'hsts_seconds requires tls or public_url'],
    ['a chain', { genesis_hash: 'ab' }, 'genesis_hash must be 64 hex digits'],
    ['a rate', { relay: { address: 'x', rate: -1, genesis_hash: GENESIS } }, 'relay.rate must be'],
    [
      'issuers of a node without HTTPS',
      { static_nodes: [{ url: 'http://192.0.2.1:1', ca_file: 'ca.pem' }] },
      'static_nodes[0].ca_file requires a url with https',
    ],
    ['a flag', { faucet: 'yes' }, 'faucet must be of type boolean'],
    ['a path', { downloads_dir: '' }, 'downloads_dir must be a string of 1 to 1024 characters'],
  ])('%s', (_name, fields, line) => {
    expect(faultsWith(fields).at(-1)!.slice(0, line.length)).toBe(line);
  });

  test.each([
    '*',
    'null',
    'app.example',
    'https://*.app.example',
    'https://app.example/',
    'https://app.example:443',
    'https://App.example',
    'https://user@app.example',
    'file:///',
    'app://',
    'app://wallet/',
    'App://wallet',
    'app://*',
    'app://user@wallet',
    'file://host',
    7,
  ])('cors_origins %p', origin => {
    expect(faultsWith({ cors_origins: ['https://app.example', 'http://127.0.0.1:8080', origin] })).toEqual([
      'cors_origins[2] must be one exact origin such as https://app.example, without a path or a wildcard',
    ]);
  });

  test.each([
    'app://wallet',
    'capacitor://localhost',
    'tauri://localhost',
    'ionic://localhost:8100',
    'chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn',
    'safari-web-extension://2C127FA4-62C7-7E4F-90E5-472B45EECFDC',
  ])('cors_origins accepts %s', origin => {
    expect(faultsWith({ cors_origins: [origin] })).toEqual([]);
  });

  test.each([
    'gateway.example:8883',
    'gateway.example.',
    '192.0.2.1',
    '0x7f.1',
    '-a.example',
    'a_b.example',
    `${'a'.repeat(63)}.`.repeat(3) + 'b'.repeat(60),
    '',
    'gäteway.example',
    7,
  ])('gateway_host %p', host => {
    expect(faultsWith({ gateway_host: host })).toEqual([
      'gateway_host must be a domain name of at most 227 characters, without a port',
    ]);
  });

  test.each([
    'http://gateway.example',
    'https://',
    'https://gateway.example/wallet',
    'https://gateway.example//',
    'https://gateway.example?',
    'https://gateway.example#top',
    'https://user:secret@gateway.example',
    'https://@gateway.example',
    'https:\\\\gateway.example',
    'https://gateway.example\\@evil.example',
    'https://gateway.example:',
    'https://gateway.example:65536',
    'gateway.example',
    443,
  ])('public_url %p', public_url => {
    expect(faultsWith({ public_url })).toEqual([
      'public_url must be an origin such as https://gateway.example:8443',
    ]);
  });

  test.each([
    '192.0.2.1:8884',
    'http://192.0.2.01:1',
    'http://[192.0.2.1]:1',
    'http://::1:8884',
    'http://[::g]:1',
    'http://node.example:0',
    'http://node.example:65536',
    'http://node.example/api',
    'http://user@node.example',
    'http://node..example',
    'http://0x7f.1',
    'ftp://node.example',
    8884,
  ])('static_nodes[].url %p', url => {
    expect(faultsWith({ static_nodes: [{ url: 'http://node.example' }, { url }] })).toEqual([
      'static_nodes[1].url must be a URL without a path, such as http://192.0.2.10:8884 or https://node.example',
    ]);
  });

  test.each(['127.0.0.1', '127.0.0.1:65536', '::1:8883', '[127.0.0.1]:1', ':8883', '127.0.0.1:8883/', 8883])(
    'listen %p',
    listen => {
      expect(faultsWith({ listen })).toEqual(['listen must be HOST:PORT such as 127.0.0.1:8883 or [::]:443']);
    },
  );

  test.each(['https://-gateway.example', 'https://g\u00e4teway.example', 'https://0x7f.1'])(
    'the host of public_url %p',
    public_url => {
      expect(faultsWith({ public_url })).toEqual([
        'public_url must be an origin such as https://gateway.example:8443',
      ]);
    },
  );

  test.each([[], 'text', null, 7n])('a configuration that is %p', json => {
    expect(faultsOf(json)).toEqual(['the configuration must be a JSON object']);
  });
});

test('never reports a secret', () => {
  const secrets = ['hunter2'.repeat(40), 'hunter2 hunter2 hunter2 hunter2 hunter2', 'hunter2'];
  for (const secret of secrets) {
    const json = { ...least, admin_api_key: secret, redis_url: `redis://:${secret}@h` };
    const faults = faultsOf(json);
    expect(faults).toHaveLength(2);
    expect(faults.join()).not.toContain('hunter2');
  }
});
