import { setTimeout as pause } from 'node:timers/promises';
import type { Wallet } from '../../../testkit/chain/wallet.js';
import { FEE, GRANT_ATOMS } from '../../../testkit/devnet/payment.js';
import { ask } from './ask.js';
import type { Client, Payment } from './client.js';

const PATIENCE_MS = 120_000;
const POLL_MS = 20;

interface Block {
  height: bigint;
  block_hash: string;
  transactions: { transaction_hash: string }[];
}

/** Every block, starting with the first. */
export async function readBlocks(url: string): Promise<Block[]> {
  const blocks: Block[] = [];
  for (;;) {
    const { status, body } = await ask(`${url}/api/v1/blocks?from=${blocks.length}`);
    if (status !== 200) throw new Error(`the request for blocks was answered with ${status}`);
    const more = body.blocks as Block[];
    if (more.length === 0) return blocks;
    blocks.push(...more);
  }
}

/** Throws unless the node still has an accepted payment, and rejects it as a duplicate. */
export async function expectKnown(url: string, { signed: { hash, fields } }: Payment): Promise<void> {
  const { status } = await ask(`${url}/api/v1/transactions/${hash}`);
  if (status !== 200)
    throw new Error(
      `the payment ${hash} was accepted with 202, but a later request for it was answered with ${status}`,
    );
  const again = await ask(`${url}/api/v1/transactions`, fields);
  if (again.body.duplicate !== true) throw new Error(`${hash} was accepted, and accepted again after a kill`);
}

export async function untilConfirmed(url: string, { signed: { hash } }: Payment): Promise<void> {
  const deadlineMs = Date.now() + PATIENCE_MS;
  for (;;) {
    const { status, body } = await ask(`${url}/api/v1/transactions/${hash}/status`);
    if (status === 404)
      throw new Error(`the payment ${hash} was accepted with 202, but the chain has lost it`);
    if (body.status === 'confirmed') return;
    if (Date.now() > deadlineMs)
      throw new Error(`${hash} is ${body.status ?? status} after ${PATIENCE_MS} ms`);
    await pause(POLL_MS);
  }
}

/** Throws unless each payment is in exactly one block. */
export function expectOnce(blocks: readonly Block[], payments: readonly Payment[]): void {
  const counts = new Map<string, number>();
  for (const { transaction_hash } of blocks.flatMap(({ transactions }) => transactions)) {
    counts.set(transaction_hash, (counts.get(transaction_hash) ?? 0) + 1);
  }
  for (const { signed } of payments) {
    const count = counts.get(signed.hash) ?? 0;
    if (count !== 1) throw new Error(`${signed.hash} is in ${count} blocks`);
  }
}

/** Throws unless all balances are the sum of the payments, each of them counted once. */
export async function expectBalances(
  url: string,
  clients: readonly Client[],
  recipient: Wallet,
): Promise<void> {
  const sum = (amounts: bigint[]) => amounts.reduce((one, other) => one + other, 0n);
  const paid = clients.map(({ payments }) => sum(payments.map(({ amount }) => amount)));
  await expectBalance(url, recipient, sum(paid));
  for (const [at, { wallet, payments }] of clients.entries()) {
    await expectBalance(url, wallet, GRANT_ATOMS - paid[at]! - BigInt(payments.length) * FEE);
  }
}

async function expectBalance(url: string, { hex }: Wallet, balance: bigint): Promise<void> {
  const { body } = await ask(`${url}/api/v1/accounts/${hex}`);
  for (const [field, expected] of Object.entries({
    balance,
    spendable_balance: balance,
    locked_balance: 0n,
  })) {
    if (body[field] !== expected)
      throw new Error(`${url} reports ${field} ${body[field]} for ${hex}, not ${expected}`);
  }
}

/** Waits until the node at `followerUrl` has as many blocks; throws unless they are the given blocks. */
export async function expectSameBlocks(blocks: readonly Block[], followerUrl: string): Promise<void> {
  const deadlineMs = Date.now() + PATIENCE_MS;
  let theirs = await readBlocks(followerUrl);
  while (theirs.length < blocks.length && Date.now() < deadlineMs) {
    await pause(POLL_MS);
    theirs = await readBlocks(followerUrl);
  }
  const differs = blocks.findIndex(({ block_hash }, at) => theirs[at]?.block_hash !== block_hash);
  if (differs !== -1) throw new Error(`block ${differs} of the archival node differs from the full node's`);
}
