import { Board, hex } from '../../testkit/boards/board.js';
import { Reference } from '../../testkit/boards/reference.js';
import { GET_APP_VERSION, getPublicKey, signMessage } from '../../testkit/device/apdu.js';
import { antiExfil } from '../../testkit/repository/vectors.js';

/**
 * Small numbers on the Pico, where `native-taint` follows the seed through the instructions
 * (docs/SOUNDNESS.md#secrets-in-the-image).
 */
const [FEW_KEYS, FEW_SIGNATURES] = BOARD === 'pico' ? [2, 2] : [100, 6];
const KEYS = indices(Number(process.env.SEEDS ?? FEW_KEYS));
const SIGNATURES = indices(Number(process.env.SEEDS ?? FEW_SIGNATURES));
const REPORT = 'Z_signerZ_report';
const BUTTON = 'Z_signerZ_button';
const SIGNATURE_BYTES = 64;
/** Number of attempts to observe a signature, because a loaded machine may look too late. */
const LOOKS = 20;
/**
 * Limits for calls, in the board's unit; `signing` limits the cost of a signature minus that of its public
 * key.
 */
const LIMITS = {
  pico: { publicKey: 4.5e6, signing: 4.5e6, approval: 24e6, reveal: 26e6 },
  lm3s6965: { publicKey: 8e5, signing: 8e5, approval: 3.5e6, reveal: 4.6e6 },
  riscv: { publicKey: 2e6, signing: 2e6, approval: 9e6, reveal: 10e6 },
} as const;
const MOST = LIMITS[BOARD as keyof typeof LIMITS];

/** Indices of this process's seeds: all, or with SEED_PART 0 or 1, every other one, and the first in both. */
function indices(count: number): number[] {
  const all = Array.from({ length: count }, (_, index) => index);
  const part = process.env.SEED_PART;
  return part === undefined ? all : all.filter(index => index === 0 || index % 2 === Number(part));
}

/** Each passphrase makes another seed from the vectors' words. */
const passphraseOf = (index: number) => `seed ${index}`;
const MESSAGE = Buffer.from('one message');

/** The number at the start of a cost. */
const amount = (cost: string) => Number.parseInt(cost, 10);

/** A review of the message, at the page where both keys approve. */
async function awaitApproval(board: Board): Promise<{ channel: number; reply: Uint8Array }> {
  const channel = (await board.sendAll(signMessage(0, MESSAGE)))!;
  await board.awaitApproval();
  return { channel, reply: board.reference.press('both')! };
}

/**
 * The address where the signature is written first, found by searching while it is computed; traced boards
 * are slow enough.
 */
async function findSignature(): Promise<number> {
  for (let turn = 0; turn < LOOKS; turn++) {
    const at = await lookForSignature();
    if (at !== undefined) return at;
  }
  throw new Error('nobody saw the signature in memory');
}

async function lookForSignature(): Promise<number | undefined> {
  const board = await Board.start({ traced: [BUTTON] });
  const { channel, reply } = await awaitApproval(board);
  const signature = Buffer.from(reply.subarray(0, SIGNATURE_BYTES));
  let at = -1;
  const search = async () => {
    at = Buffer.from(await board.driver.usedMemory()).indexOf(signature);
    return at >= 0;
  };
  await board.driver.hold('both', true);
  await board.driver.run(14);
  const released = board.driver.hold('both', false);
  await board.driver.run(5000, search);
  await released;
  expect(hex(await board.receive(channel))).toBe(hex(reply));
  return at < 0 ? undefined : board.driver.usedMemoryAt + at;
}

/** Number of stores to the watched bytes before the one that completes a signature, once observed. */
let place: number | undefined;

async function measureApproval(
  passphrase: string,
  watched: number,
): Promise<{ signed: string; all: string }> {
  for (let turn = 0; turn < LOOKS; turn++) {
    const options = { passphrase, watched, traced: [BUTTON] };
    const board = await Board.start(options, new Reference(passphrase));
    const { driver } = board;
    const { channel, reply } = await awaitApproval(board);
    const until = place === undefined ? reply.subarray(0, SIGNATURE_BYTES) : undefined;
    const { calls, reached, stores } = await driver.costs(BUTTON, () => driver.press('both'), until);
    expect(hex(await board.receive(channel))).toBe(hex(reply));
    await driver.close();
    if (reached && stores.length > 0) place = stores.indexOf(reached);
    const signed = reached ?? stores[place ?? -1];
    if (signed) return { signed, all: calls[0]! };
  }
  throw new Error('nobody saw the signature in memory');
}

/**
 * The address at which the signature appears. If this machine is busy, the search may come too late, and find
 * a copy of the signature or the next store. The measured cost is then too high, so the search is repeated.
 */
async function findPlace(): Promise<number> {
  for (let turn = 0; turn < LOOKS; turn++) {
    place = undefined;
    const watched = await findSignature();
    const { signed } = await measureApproval(passphraseOf(0), watched);
    if (amount(signed) - publicKey < MOST.signing) return watched;
  }
  throw new Error(`no signature is complete ${MOST.signing} after what a public key costs`);
}

let publicKey = 0;

test('public keys cost the same for every seed', async () => {
  const board = await Board.start({ traced: [REPORT] });
  const costs = new Set<string>();
  for (const index of KEYS) {
    await board.driver.openKeystore(passphraseOf(index));
    // New channels use the link's two places in turn: this one leaves the same place to each public key.
    await board.exchange(GET_APP_VERSION);
    let reply: Uint8Array | undefined;
    const ask = async () => {
      reply = await board.exchange(getPublicKey(0));
    };
    const { calls } = await board.driver.costs(REPORT, ask);
    expect(hex(reply!)).toBe(hex(new Reference(passphraseOf(index)).command(getPublicKey(0))!));
    costs.add(calls.at(-1)!);
  }
  console.log(`${KEYS.length} public keys: ${[...costs].join('; ')}`);
  expect(costs.size).toBe(1);
  publicKey = amount([...costs][0]!);
  expect(publicKey).toBeGreaterThan(1e5);
  expect(publicKey).toBeLessThan(MOST.publicKey);
});

// The time of the verification that follows depends only on public values.
test('signatures are complete after the same cost for every seed', async () => {
  const watched = await findPlace();
  const rows = [];
  for (const index of SIGNATURES) rows.push(await measureApproval(passphraseOf(index), watched));
  const longest = Math.max(...rows.map(({ all }) => amount(all)));
  console.log(`${rows.length} signatures: ${rows[0]!.signed}; approving press: at most ${longest}`);
  expect(new Set(rows.map(({ signed }) => signed)).size).toBe(1);
  expect(amount(rows[0]!.signed)).toBeGreaterThan(publicKey);
  expect(amount(rows[0]!.signed) - publicKey).toBeLessThan(MOST.signing);
  expect(longest).toBeLessThan(MOST.approval);
});

test('the approval of a commitment and its REVEAL are within their limits', async () => {
  const steps = antiExfil.cases.find(({ name }) => name === 'message')!.steps;
  const [header, chunk, reveal] = steps.map(({ command }) => Buffer.from(command, 'hex')) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const board = await Board.start({ traced: [BUTTON, REPORT] });
  const { driver } = board;
  const channel = (await board.sendAll([header, chunk]))!;
  await board.awaitApproval();
  const noncePoint = board.reference.press('both')!;
  const approval = await driver.costs(BUTTON, () => driver.press('both'));
  expect(hex(await board.receive(channel))).toBe(hex(noncePoint));
  const signature = board.reference.command(reveal)!;
  let reply: Uint8Array | undefined;
  const revealed = await driver.costs(REPORT, async () => {
    reply = await board.exchange(reveal);
  });
  expect(hex(reply!)).toBe(hex(signature));
  const [press, last] = [approval.calls[0]!, revealed.calls.at(-1)!];
  console.log(`with a commitment: approving press ${press}, REVEAL ${last}`);
  expect(amount(press)).toBeLessThan(MOST.approval);
  expect(amount(last)).toBeLessThan(MOST.reveal);
});
