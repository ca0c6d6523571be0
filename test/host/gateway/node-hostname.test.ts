import { GatewayClient } from '#host/gateway/index.js';

const urlOf = (gateway: string, ip: string, port: number) =>
  new GatewayClient(gateway).node({ ip, port })?.url;

describe('the URL of a node under its gateway', () => {
  // Hostnames as defined in docs/gateway/routing.md#node-hostnames: dashes replace the dots of the address,
  // followed by -p and the port of the API.
  test.each([
    ['https://gateway.example', 'https://ip-203-0-113-7-p8884.gateway.example'],
    ['https://gateway.example:8443', 'https://ip-203-0-113-7-p8884.gateway.example:8443'],
    ['http://localhost:8883', 'http://ip-203-0-113-7-p8884.localhost:8883'],
    ['http://127.0.0.1:8883', 'http://ip-203-0-113-7-p8884.localhost:8883'],
    ['http://[::1]:8883', 'http://ip-203-0-113-7-p8884.localhost:8883'],
    ['https://gateway.example/zbc', 'https://ip-203-0-113-7-p8884.gateway.example/zbc'],
  ])('for the gateway %s is %s', (gateway, node) => {
    expect(urlOf(gateway, '203.0.113.7', 8884)).toBe(node);
  });

  test.each(['http://192.168.1.5:8883', 'http://[2001:db8::1]:8883'])(
    'is undefined for the gateway %s, which is an IP address',
    gateway => {
      expect(urlOf(gateway, '203.0.113.7', 8884)).toBeUndefined();
    },
  );

  test.each<[string, number]>([
    ['203.0.113', 1],
    ['203.0.113.256', 1],
    ['203.0.113.07', 1],
    ['203.0.113.7.8', 1],
    ['evil.example/', 1],
    ['::1', 1],
    ['', 1],
    ['203.0.113.7', 0],
    ['203.0.113.7', 65_536],
    ['203.0.113.7', 1.5],
  ])("is refused for the node's address %j and port %d", (ip, port) => {
    expect(urlOf('https://gateway.example', ip, port)).toBeUndefined();
  });
});
