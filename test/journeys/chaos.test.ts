import { derivePrivateKey, parseAccount, seedFromMnemonic, TEST_MNEMONIC, toHex } from '@zbc-signer/chain';
import { DEVNET_GENESIS_HASH } from '@zbc-signer/devnet';
import type { Chaos } from '@zbc-signer/devnet/chaos';
import { type FlowEvent, GatewayClient, sendTransaction } from '@zbc-signer/host';
import { SoftwareSigner } from '@zbc-signer/host/software-signer';
import { FIRST, Journey, SECOND } from '../../testkit/network/journey.js';
import { localhostFetch } from '../../testkit/network/localhost-fetch.js';
import { runCommand, startCli, untilSaid } from '../../testkit/process/cli.js';

const KEY = derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), 0);
const POLL_MS = 50;

let journey: Journey;
let events: FlowEvent[];
beforeEach(() => {
  events = [];
});
afterEach(() => journey.stop());

async function start(chaos: Chaos): Promise<void> {
  journey = await Journey.start({ chaos });
}

/** Runs the whole flow in this process, with a key instead of a device. */
function send(amount = 1n) {
  return sendTransaction(
    { type: 1, recipient: parseAccount(SECOND), amount },
    {
      gateway: new GatewayClient(journey.devnet.url, { fetch: localhostFetch }),
      signer: new SoftwareSigner(KEY),
      account: 0,
      pollMs: POLL_MS,
      onProgress: event => events.push(event),
    },
  );
}

/** Runs the command line with a key on stdin. */
async function sendByCli(...words: string[]) {
  const stdin = JSON.stringify({ sender_privkey: toHex(KEY), recipient: SECOND, amount: 1 });
  const result = await runCommand(['send', '--json-input', ...words], { env: journey.env, stdin });
  return { ...result, json: JSON.parse(result.stdout) };
}

/** Hashes of the sender's transactions in this test, according to the full node, which has no chaos. */
async function sentHashes(): Promise<string[]> {
  const all = await new GatewayClient(journey.devnet.nodeUrl).recentTransactions(100);
  return all.filter(({ sender }) => sender === FIRST).map(({ hash }) => toHex(hash));
}

const errorsOfRetries = () =>
  events.flatMap(event => (event.step === 'retry' ? [Reflect.get(Object(event.error), 'code')] : []));

test('a payment survives cut connections, 503 and delays, and is made once', async () => {
  await start({ drop: 0.2, busy: 0.2, delayMs: [1, 20], seed: 3 });
  const { status, transactionHash } = await send();
  expect(status).toBe('confirmed');
  expect(await sentHashes()).toEqual([toHex(transactionHash)]);
  // The distribution of the two faults depends on how often the status is requested.
  expect(errorsOfRetries()).not.toEqual([]);
  expect(['GATEWAY_UNREACHABLE', 'GATEWAY_BUSY']).toEqual(expect.arrayContaining(errorsOfRetries()));
});

test('an altered transaction hash is reported as possible tampering, with a separate exit code and both hashes', async () => {
  await start({ alteredHash: true });
  const { code, stdout, stderr } = await journey.decide('approve', 'send', '--to', SECOND, '--amount', '1');
  const [signed] = await sentHashes();
  expect([code, stdout]).toEqual([15, '']);
  expect(stderr).toMatch(
    /^ALARM: the gateway reports transaction hash [0-9a-f]{64}, the signer [0-9a-f]{64}: possible tampering/m,
  );
  expect(stderr).toContain(`, the signer ${signed}: possible tampering`);
  const forPrograms = await sendByCli();
  expect([forPrograms.code, forPrograms.json.error.code]).toEqual([15, 'HASH_MISMATCH']);
  expect(await sentHashes()).toContain(forPrograms.json.error.transaction_hash);
  expect(forPrograms.json.error.returned_hash).not.toBe(forPrograms.json.error.transaction_hash);
});

test('a hidden signing version is requested from the full node directly, by the library and by the command line', async () => {
  await start({ hideSigningVersion: true });
  expect((await send()).status).toBe('confirmed');
  const { host } = new URL(journey.devnet.nodeUrl);
  expect(events[0]).toEqual({ step: 'direct', node: host, answered: true, signingVersion: 2n });
  expect(await sendByCli()).toMatchObject({ code: 0, json: { status: 'confirmed' } });
});

test('a gateway that names another chain is detected by the signature, by --genesis, and by its relay', async () => {
  await start({ wrongGenesis: true });
  const [unnamed, named, relay] = await Promise.all([
    sendByCli(),
    sendByCli('--genesis', DEVNET_GENESIS_HASH),
    journey.run('get', '/relay/info', '--json'),
  ]);
  expect([unnamed.code, unnamed.json.error.code]).toEqual([11, 'SIGNATURE_REFUSED']);
  expect([named.code, named.json.error.code]).toEqual([10, 'WRONG_CHAIN']);
  expect(JSON.parse(relay.stdout)).toMatchObject({ genesis_hash: DEVNET_GENESIS_HASH });
  expect(await sentHashes()).toEqual([]);
});

test('devnet --chaos prints a warning, with the seed that repeats the faults', async () => {
  journey = await Journey.start();
  const words = ['devnet', '--port', '0', '--json', '--chaos', 'busy=1,altered-hash', '--chaos-seed', '42'];
  const cli = startCli(words);
  await untilSaid(cli, 'stdout', '\n');
  expect(cli.output.stderr).toContain('WARNING: fault injection is on; --chaos-seed 42 repeats these faults');
  const { url } = JSON.parse(cli.output.stdout);
  expect((await fetch(`${url}/api/v1/node/info`)).status).toBe(503);
  expect((await fetch(`${url}/gateway/status`)).status).toBe(200);
  cli.child.kill('SIGINT');
  expect((await cli.done).code).toBe(0);
});
