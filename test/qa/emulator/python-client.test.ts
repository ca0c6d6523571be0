// Behaves like Ragger's Speculos backend with Python's HTTP client: after a reply's headers, it checks
// whether the socket is readable, and otherwise waits for a screen.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { CONFIRM_ADDRESS_HEX } from '../../../testkit/device/confirmed-account.js';
import { startServer } from '../../../testkit/device/device-host.js';

const REQUESTS = 300;

const PEEK = `
import http.client, json, select, sys
port, count = int(sys.argv[1]), int(sys.argv[2])
seen = 0
for _ in range(count):
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/apdu", json.dumps({"data": "e005010004ffffffff"}))
    response = connection.getresponse()
    readable, _, _ = select.select([response.fp.raw._sock], [], [], 30)
    seen += len(readable)
    assert json.loads(response.read()) == {"data": "6a80"}
    connection.close()
print(seen)
`;

const TIME_OUT = `
import http.client, json, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
connection.request("POST", "/apdu", json.dumps({"data": sys.argv[2], "tick_timeout": 2}))
try:
    connection.getresponse().read()
except http.client.IncompleteRead:
    print("timed out")
`;

let server: EmulatorServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

/** The program's output; fails with its errors. */
async function python(program: string, ...words: string[]): Promise<string> {
  const child = spawn('python3', ['-c', program, new URL(server.api).port, ...words]);
  const output = child.stdout.toArray();
  const errors = child.stderr.toArray();
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(Buffer.concat(await errors).toString());
  return Buffer.concat(await output).toString();
}

test(`a client that peeks at its socket receives each of ${REQUESTS} refusals`, async () => {
  expect(await python(PEEK, `${REQUESTS}`)).toBe(`${REQUESTS}\n`);
});

test('a client whose tick limit has passed gets the error by which Ragger recognizes a timeout', async () => {
  expect(await python(TIME_OUT, CONFIRM_ADDRESS_HEX)).toBe('timed out\n');
});
