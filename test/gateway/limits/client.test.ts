import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Clients } from '#gateway/limits/client.js';

function nameOf(remoteAddress: string | undefined, proxies: string[], forwarded?: string): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return new Clients(proxies).nameOf(request);
}

describe('without proxies', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::'],
    ['2001:db8:1:3::', '2001:db8:1:3::'],
    ['fe80::1%eth0', 'fe80::'],
    [undefined, 'unknown'],
  ])('a connection from %s belongs to the client %s', (address, client) => {
    expect(nameOf(address, [])).toBe(client);
    expect(nameOf(address, [], '198.51.100.1')).toBe(client);
  });
});

describe('with a proxy at 10.0.0.0/8 and one at 2001:db8::1', () => {
  const proxies = ['10.0.0.0/8', '2001:db8::1'];

  // By default, the address that is given is that of a proxy, which is then the client.
  test.each<[string, string | undefined, string?, string?]>([
    ['the address that a proxy forwards is the client', '198.51.100.1', '198.51.100.1'],
    ['the address that an IPv6 proxy forwards is the client', '198.51.100.1', '198.51.100.1', '2001:db8::1'],
    [
      'a proxy is recognised by an IPv4-mapped IPv6 address',
      '198.51.100.1',
      '198.51.100.1',
      '::ffff:10.0.0.1',
    ],
    ['an address that is forwarded by a client is ignored', '198.51.100.1', '198.51.100.9', '198.51.100.9'],
    [
      'an address that the client itself wrote into the header is ignored',
      '203.0.113.5, 198.51.100.1',
      '198.51.100.1',
    ],
    ['a chain of proxies is followed to the client', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['a chain of proxies without a client is followed to the first proxy', '10.8.8.8, 10.9.9.9', '10.8.8.8'],
    ['an invalid address is ignored', '198.51.100.1, x'],
    ['a forwarded address may have a port', '198.51.100.1:5678', '198.51.100.1'],
    ['the addresses in a chain may have ports', '198.51.100.1:5678,10.9.9.9:80', '198.51.100.1'],
    ['a forwarded IPv6 address in brackets may have a port', '[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2::'],
    ['a forwarded IPv6 address in brackets may have no port', '[2001:db8:1:2:3:4:5:6]', '2001:db8:1:2::'],
    ['a port without an address is ignored', ':80'],
    ['an address with an empty port is ignored', '198.51.100.1:'],
    ['an address with a port of letters is ignored', '198.51.100.1:http'],
    ['an address with two ports is ignored', '198.51.100.1:80:80'],
    ['an octal address with a port is ignored', '0306.51.100.1:80'],
    ['an IPv4 address in brackets is ignored', '[198.51.100.1]:80'],
    [
      'an IPv6 address with a port but without brackets is read as another address',
      '2001:db8:1:2::443',
      '2001:db8:1:2::',
    ],
    ['an IPv6 address with an unclosed bracket is ignored', '[2001:db8:1:2:3:4:5:6:443'],
    ['an octal address is ignored', '0306.51.100.1'],
    ['a header of only commas is ignored', ', ,'],
    ['without the header, the proxy is the client', undefined],
    ['an IPv6 client is named by its /64 prefix', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
  ])('%s', (_name, forwarded, client = '10.0.0.1', address = '10.0.0.1') => {
    expect(nameOf(address, proxies, forwarded)).toBe(client);
  });
});

test('the connections of a proxy, which serves many clients, are not those of one client', () => {
  const clients = new Clients(['10.0.0.0/8', '2001:db8::1']);
  const nameOfAddress = (address: string | undefined) => clients.nameOfConnection(address);
  for (const proxy of ['10.9.9.9', '::ffff:10.9.9.9', '2001:db8::1']) {
    expect(nameOfAddress(proxy)).toBeUndefined();
  }
  expect(['198.51.100.1', '2001:db8::2'].map(nameOfAddress)).toEqual(['198.51.100.1', '2001:db8::']);
});
