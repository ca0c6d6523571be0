import { parseHost } from '#gateway/proxy/request-target.js';

const NAMES = { gatewayHost: 'gateway.test', otherHosts: ['www.gateway.test', 'my_gateway'], nodePort: 8884 };

function parse(header: string, localAddress = '203.0.113.9'): unknown {
  return parseHost(header, NAMES, localAddress);
}

test.each([
  'gateway.test',
  'GATEWAY.Test',
  'gateway.test:443',
  'gateway.test:8883',
  'www.gateway.test',
  'my_gateway:1',
  '203.0.113.9',
  '203.0.113.9:65535',
])('resolves %s to the gateway', header => {
  expect(parse(header)).toBe('gateway');
});

test.each([
  ['127.0.0.1:8883', '127.0.0.1'],
  ['127.0.0.1', '::ffff:127.0.0.1'],
  ['[::1]:8883', '::1'],
  ['[2001:DB8::1]', '2001:db8::1'],
])('resolves %s to the gateway on a connection to %s', (header, localAddress) => {
  expect(parse(header, localAddress)).toBe('gateway');
});

test.each([
  ['ip-1-2-3-4.gateway.test', '1.2.3.4', 8884],
  ['ip-1-2-3-4-p9000.gateway.test', '1.2.3.4', 9000],
  ['IP-1-2-3-4-P9000.Gateway.TEST:443', '1.2.3.4', 9000],
  ['ip-0-0-0-0.gateway.test', '0.0.0.0', 8884],
  ['ip-255-255-255-255-p65535.gateway.test', '255.255.255.255', 65_535],
  ['ip-127-0-0-1-p1.gateway.test', '127.0.0.1', 1],
])('resolves %s to a node', (header, ip, port) => {
  expect(parse(header)).toEqual({ ip, port });
});

// Further names are in test/gateway/hostile/cases/hosts.ts.
test.each([
  '',
  ' ',
  '.',
  ':443',
  'gateway.test:99999',
  'gateway.test:443443',
  'gateway.test:443/',
  '203.0.113.9.',
  '203.0.113.09',
  '[203.0.113.9]',
  'ip-1-2-3-4',
  'ip-1-2-3-4.www.gateway.test',
  'ip-1-2-3-1000.gateway.test',
  'ip-1-2-3-4e0.gateway.test',
  'ip-1-2-3-4:8884.gateway.test',
  'ip-2001-db8--1.gateway.test',
])('refuses the host %j', header => {
  expect(() => parse(header)).toThrow(expect.objectContaining({ statusCode: 403 }));
});

test('resolves a numeric name that is configured', () => {
  const names = { ...NAMES, gatewayHost: '10.0.0.1' };
  expect(parseHost('10.0.0.1:80', names, '')).toBe('gateway');
  expect(parseHost('ip-1-2-3-4.10.0.0.1', names, '')).toEqual({ ip: '1.2.3.4', port: 8884 });
});
