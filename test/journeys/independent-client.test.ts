import { createHash } from 'node:crypto';
import { endProcess, type StartedChild, startScript } from '../../testkit/process/child.js';
import { PROGRAM } from '../../testkit/process/program.js';

// A client written only from docs/ (docs/gateway/routes.md#client-sequence, docs/APDU.md), with none of this
// repository's code.

const processes: StartedChild[] = [];

/** Starts a command of the program and resolves with its ready line. */
async function start(...words: string[]): Promise<Record<string, string>> {
  const started = await startScript(PROGRAM, [...words, '--json'], { stderr: 'ignore' });
  processes.push(started);
  return JSON.parse(started.line);
}

afterAll(async () => {
  for (const started of processes) await endProcess(started, 'SIGTERM');
});

async function call<Answer>(url: string, document?: object): Promise<{ status: number; answer: Answer }> {
  const init = document && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  };
  const response = await fetch(url, init ?? {});
  return { status: response.status, answer: (await response.json()) as Answer };
}

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);

function device(api: string) {
  const exchange = async (command: Buffer): Promise<Buffer> => {
    const { answer } = await call<{ data: string }>(`${api}/apdu`, { data: command.toString('hex') });
    return Buffer.from(answer.data, 'hex');
  };
  const command = (ins: number, p1: number, data: Buffer) =>
    exchange(Buffer.concat([Buffer.of(0xe0, ins, p1, 0, data.length), data]));
  return {
    command,
    async publicKey(account: number) {
      const reply = await command(0x05, 0, u32(account));
      return { key: reply.subarray(0, 32), address: reply.subarray(32, 98).toString('ascii') };
    },
    async texts(): Promise<string[]> {
      const { answer } = await call<{ events: { text: string }[] }>(`${api}/events?currentscreenonly=true`);
      return answer.events.map(({ text }) => text);
    },
    press: (button: string) => call(`${api}/button/${button}`, { action: 'press-and-release' }),
  };
}

/** Presses right until the approve page, then both; returns the texts of every page. */
async function approve({ texts, press }: ReturnType<typeof device>): Promise<string[][]> {
  const pages: string[][] = [];
  while ((await texts())[0] === 'ZBC Signer') await new Promise(resolve => setTimeout(resolve, 5));
  for (let page = await texts(); page[1] !== 'approve: press both'; page = await texts()) {
    pages.push(page);
    await press('right');
  }
  await press('both');
  return pages;
}

async function waitUntilConfirmed(url: string): Promise<void> {
  for (;;) {
    const { answer } = await call<{ status: string }>(url);
    if (answer.status === 'confirmed') return;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

test('a client written only from the specifications makes a payment from the emulator that the devnet confirms', async () => {
  const [{ url }, { api }] = await Promise.all([
    start('devnet', '--port', '0', '--block-time', '0.1'),
    start('emulator', '--api-port', 'auto', '--apdu-port', '0', '--ledger-port', '0'),
  ]);
  const chain = `${url}/api/v1`;
  const signer = device(api!);
  const [own, other] = [await signer.publicKey(0), await signer.publicKey(1)];
  expect((await call(`${url}/faucet`, { address: own.address })).status).toBe(200);

  const info = await call<{ genesis_hash: string; signing_version: number }>(`${chain}/node/info`);
  expect(info.answer.signing_version).toBe(2);
  const fees = await call<{ minimum_fee: number }>(`${chain}/blockchain/estimate-fee?type=1&body_length=8`);
  const fee = fees.answer.minimum_fee;
  const timestamp = Math.floor(Date.now() / 1000);
  const [sender, recipient] = [own, other].map(({ key }) => Buffer.concat([u32(0), key])) as [Buffer, Buffer];
  const body = u64(5_000_000);
  const transaction = Buffer.concat([
    u32(1),
    Buffer.of(1),
    u64(timestamp),
    sender,
    recipient,
    u64(fee),
    u32(8),
    body,
    u32(2),
    u32(5),
    Buffer.from('hello'),
  ]);

  const genesis = Buffer.from(info.answer.genesis_hash, 'hex');
  const header = Buffer.concat([u32(0), genesis, u32(transaction.length), u32(0)]);
  expect((await signer.command(0x06, 0, header)).toString('hex')).toBe('9000');
  const signing = signer.command(0x06, 1, transaction);
  expect(await approve(signer)).toContainEqual(['Total leaving', '0.075 ZBC']);
  const reply = await signing;
  const [signature, hash] = [reply.subarray(0, 64), reply.subarray(64, 96).toString('hex')];
  expect(createHash('sha3-256').update(transaction).update(signature).digest('hex')).toBe(hash);

  const sent = await call<{ status: string; transaction_hash: string }>(`${chain}/transactions`, {
    version: 1,
    timestamp,
    transaction_type: 1,
    fee,
    sender_account_address: sender.toString('hex'),
    recipient_account_address: recipient.toString('hex'),
    transaction_body_bytes: body.toString('hex'),
    signature: signature.toString('hex'),
    message_hex: Buffer.from('hello').toString('hex'),
  });
  expect(sent).toEqual({
    status: 202,
    answer: { status: 'success', duplicate: false, transaction_hash: hash },
  });
  await waitUntilConfirmed(`${chain}/transactions/${hash}/status`);
  const { answer } = await call<{ balance: number }>(`${chain}/accounts/${other.address}`);
  expect(answer.balance).toBe(5_000_000);
});
