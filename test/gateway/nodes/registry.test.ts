import { networkInterfaces } from 'node:os';
import { admissionRule, parseRegistry, readRegistry } from '#gateway/nodes/registry.js';

function rule(allowPrivateNodes = false) {
  return admissionRule({
    allowPrivateNodes,
    otherHosts: ['203.0.114.200', 'gateway.example'],
    listenHost: '203.0.114.201',
    listenPort: 8883,
    metrics: { host: '127.0.0.1', port: 9100 },
  });
}

const PUBLIC = { ip: '203.0.114.1', port: 8884n };

function parse(entries: unknown, allowPrivateNodes = false) {
  return parseRegistry({ nodes: entries }, 'full', rule(allowPrivateNodes));
}

test("reads each node's address with the role of its list", () => {
  expect(parse([{ ...PUBLIC, public_key: 'ab' }])).toEqual([
    { ip: '203.0.114.1', port: 8884, role: 'full', source: 'registry' },
  ]);
  expect(parseRegistry({ archivals: [PUBLIC], nodes: [] }, 'archival', rule())).toHaveLength(1);
});

test.each([
  '10.0.0.1',
  '100.64.0.1',
  '127.0.0.1',
  '172.16.0.1',
  '192.0.2.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
])('ignores %s, which is not public, unless private nodes are allowed', ip => {
  expect(parse([{ ip, port: 80n }])).toEqual([]);
  expect(parse([{ ip, port: 80n }], true)).toHaveLength(1);
});

test.each([1n, 22n, 25n, 53n, 79n, 81n, 444n, 1023n])(
  'ignores port %p, which may belong to another protocol',
  port => {
    expect(parse([{ ip: PUBLIC.ip, port }], true)).toEqual([]);
  },
);

test.each([80n, 443n, 1024n, 65_535n])('accepts port %p', port => {
  expect(parse([{ ip: PUBLIC.ip, port }])).toHaveLength(1);
});

test.each(['0.0.0.0', '0.1.2.3', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'])(
  'ignores %s, which is not the address of a single machine, even if private nodes are allowed',
  ip => {
    for (const allowed of [false, true]) expect(parse([{ ip, port: 8884n }], allowed)).toEqual([]);
  },
);

test.each(['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'])(
  'ignores %s, where clouds serve secrets, even if private nodes are allowed',
  ip => {
    for (const allowed of [false, true]) expect(parse([{ ip, port: 80n }], allowed)).toEqual([]);
  },
);

test('ignores the addresses of the gateway itself, and its ports on the loopback interface', () => {
  const outer = Object.values(networkInterfaces())
    .flatMap(each => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address);
  for (const ip of ['203.0.114.200', '203.0.114.201', ...outer]) {
    expect(parse([{ ip, port: 8884n }], true)).toEqual([]);
  }
  for (const port of [8883n, 9100n]) expect(parse([{ ip: '127.0.0.1', port }], true)).toEqual([]);
  expect(parse([{ ip: '127.0.0.1', port: 8884n }], true)).toHaveLength(1);
});

test.each([
  { ip: '203.0.114.01', port: 80n },
  { ip: '203.0.114', port: 80n },
  { ip: '203.0.114.256', port: 80n },
  { ip: '0xcb.0.114.1', port: 80n },
  { ip: '3405803777', port: 80n },
  { ip: ' 203.0.114.1', port: 80n },
  { ip: '203.0.114.1\n', port: 80n },
  { ip: '203.0.114.1:81', port: 80n },
  { ip: '::ffff:203.0.114.1', port: 80n },
  { ip: 'node.test', port: 80n },
  { ip: 3_405_803_777n, port: 80n },
  { ip: ['203.0.114.1'], port: 80n },
  { ip: '203.0.114.1', port: 0n },
  { ip: '203.0.114.1', port: -1n },
  { ip: '203.0.114.1', port: 65_536n },
  { ip: '203.0.114.1', port: 2n ** 64n },
  { ip: '203.0.114.1', port: '80' },
  { ip: '203.0.114.1', port: 80.5 },
  { ip: '203.0.114.1' },
  {},
  null,
  'x',
  7n,
])('ignores an invalid entry', entry => {
  expect(parse([entry, PUBLIC], true)).toHaveLength(1);
});

test.each([undefined, null, 'x', 7n, [], {}, { nodes: {} }, { nodes: null }, { archivals: [PUBLIC] }])(
  'finds no nodes in a document without the list',
  document => {
    expect(parseRegistry(document, 'full', rule(true))).toEqual([]);
  },
);

test('accepts each node once, and at most 128 nodes per list', () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({
    ip: '203.0.114.1',
    port: BigInt(8000 + (index >> 1)),
  }));
  expect(parse(many).map(({ port }) => port)).toEqual(
    Array.from({ length: 128 }, (_, index) => 8000 + index),
  );
});

test('returns the lists that could be read', async () => {
  const read = async (path: string) => {
    if (path === '/api/v1/registry/archivals') throw new Error('no');
    return { nodes: [PUBLIC] };
  };
  expect(await readRegistry(read, rule())).toEqual({
    full: [{ ip: '203.0.114.1', port: 8884, role: 'full', source: 'registry' }],
  });
  expect(await readRegistry(() => Promise.reject(new Error('none')), rule())).toEqual({});
});
