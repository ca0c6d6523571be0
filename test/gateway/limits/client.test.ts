import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { clientNaming } from '#gateway/limits/client.js';

function nameOf(remoteAddress: string | undefined, proxies: string[], forwarded?: string): string {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return clientNaming(proxies)(request);
}

describe('without proxies', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:db8:1::', '2001:db8:1::'],
    ['fe80::1%eth0', 'fe80::'],
    [undefined, 'unknown'],
  ])('%s is %s', (address, client) => {
    expect(nameOf(address, [])).toBe(client);
    expect(nameOf(address, [], '198.51.100.1')).toBe(client);
  });
});

describe('with a proxy at 10.0.0.0/8 and one at 2001:db8::1', () => {
  const proxies = ['10.0.0.0/8', '2001:db8::1'];

  it.each<[string, string, string | undefined, string]>([
    ['its word is believed', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['over IPv6 too', '2001:db8::1', '198.51.100.1', '198.51.100.1'],
    ['when it is written as IPv6 too', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['a stranger is not believed', '198.51.100.9', '198.51.100.1', '198.51.100.9'],
    ['what the client wrote before is not believed', '10.0.0.1', '203.0.113.5, 198.51.100.1', '198.51.100.1'],
    ['a chain of them is followed', '10.0.0.1', '198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['a chain to its first proxy', '10.0.0.1', '10.8.8.8, 10.9.9.9', '10.8.8.8'],
    ['rubbish is not followed', '10.0.0.1', '198.51.100.1, x', '10.0.0.1'],
    ['an address may have a port', '10.0.0.1', '198.51.100.1:5678', '198.51.100.1'],
    ['in a chain too', '10.0.0.1', '198.51.100.1:5678,10.9.9.9:80', '198.51.100.1'],
    ['over IPv6 too', '10.0.0.1', '[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1::'],
    ['brackets may have no port', '10.0.0.1', '[2001:db8:1:2:3:4:5:6]', '2001:db8:1::'],
    ['a port alone is rubbish', '10.0.0.1', ':80', '10.0.0.1'],
    ['an empty port is rubbish', '10.0.0.1', '198.51.100.1:', '10.0.0.1'],
    ['a port of letters is rubbish', '10.0.0.1', '198.51.100.1:http', '10.0.0.1'],
    ['two ports are rubbish', '10.0.0.1', '198.51.100.1:80:80', '10.0.0.1'],
    ['an octal address with a port is rubbish', '10.0.0.1', '0306.51.100.1:80', '10.0.0.1'],
    ['IPv4 in brackets is rubbish', '10.0.0.1', '[198.51.100.1]:80', '10.0.0.1'],
    ['IPv6 with a port in no brackets is another address', '10.0.0.1', '2001:db8:1:2::443', '2001:db8:1::'],
    ['open brackets are rubbish', '10.0.0.1', '[2001:db8:1:2:3:4:5:6:443', '10.0.0.1'],
    ['an octal address is rubbish', '10.0.0.1', '0306.51.100.1', '10.0.0.1'],
    ['nothing but commas', '10.0.0.1', ', ,', '10.0.0.1'],
    ['no header', '10.0.0.1', undefined, '10.0.0.1'],
    ['a client over IPv6 is its /56 prefix', '10.0.0.1', '2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
  ])('%s', (_name, address, forwarded, client) => {
    expect(nameOf(address, proxies, forwarded)).toBe(client);
  });
});
