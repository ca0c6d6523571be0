import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromHex, toHex } from '@zbc-signer/chain';
import { Signer } from '@zbc-signer/host/node';
import type * as ZemuPackage from '@zondax/zemu';
import { root } from '../repository/repository.js';
import { accounts, messages, transactions } from '../repository/vectors.js';

// createRequire is needed because the package is CommonJS.
const zemuPackage: typeof ZemuPackage.default = createRequire(import.meta.url)('@zondax/zemu');
export const { default: Zemu, DEFAULT_START_OPTIONS, zondaxMainmenuNavigation } = zemuPackage;
export type Zemu = InstanceType<typeof Zemu>;

/** The directory of the committed screens. It has one directory per flow, in Zemu's layout. */
const GOLDEN = join(root, 'test/qa/snapshots');

/** A flow as in a test of an app: a request that the user must approve, and the expected reply. */
export interface ZemuFlow {
  /** Name of the flow and of the directory of its screens. */
  name: string;
  /** Words that identify the approve page and the reject page: they do not appear on any earlier page. */
  approveKeyword: string;
  rejectKeyword: string;
  /** Sends the request. Resolves with the reply in hex. */
  ask(signer: Signer): Promise<string>;
  expected: string;
}

/** Keywords for the approval of an escrow, whose earlier pages contain the words approve and reject. */
const ESCROW_KEYWORDS = { approveKeyword: 'press both', rejectKeyword: 'press both to reject' };
const DEFAULT_KEYWORDS = { approveKeyword: '', rejectKeyword: '' };

function transactionFlow(name: string, vectorName: string, keywords = DEFAULT_KEYWORDS): ZemuFlow {
  const vector = transactions.cases.find(candidate => candidate.name === vectorName)!;
  return {
    name,
    ...keywords,
    expected: `${vector.expect.signature}${vector.expect.tx_hash}`,
    ask: async signer => {
      const { signature, transactionHash } = await signer.signTransaction({
        account: vector.account,
        genesisHash: fromHex(vector.genesis),
        transaction: fromHex(vector.tx),
        linked: fromHex(vector.linked ?? ''),
        token: vector.token,
      });
      return toHex(signature) + toHex(transactionHash);
    },
  };
}

function messageFlow(): ZemuFlow {
  const { account, message, expect } = messages.cases[0]!;
  return {
    name: 'message',
    ...DEFAULT_KEYWORDS,
    expected: 'signature' in expect ? expect.signature : '',
    ask: async signer => toHex((await signer.signMessage(account, fromHex(message))).signature),
  };
}

function addressFlow(): ZemuFlow {
  return {
    name: 'address',
    ...DEFAULT_KEYWORDS,
    expected: accounts.cases[0]!.address,
    ask: async signer => (await signer.getPublicKey(0, { confirm: true })).address,
  };
}

export const FLOWS: readonly ZemuFlow[] = [
  transactionFlow('send', 'send to self, reference length 113'),
  transactionFlow('token', 'token, host reports decimals and symbol'),
  transactionFlow('escrow-approve', 'escrow approve, coin', ESCROW_KEYWORDS),
  transactionFlow('escrow-reject', 'escrow reject, token', ESCROW_KEYWORDS),
  messageFlow(),
  addressFlow(),
];

/**
 * Creates a directory for one test, with the committed screens in `snapshots` for Zemu. The caller must
 * delete it.
 */
export async function copySnapshots(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'zbc-signer-zemu-'));
  await mkdir(GOLDEN, { recursive: true });
  await cp(GOLDEN, join(directory, 'snapshots'), { recursive: true });
  return directory;
}

/**
 * Starts Zemu, runs the flow, compares every screen with the committed screen, approves, and stops Zemu.
 * Resolves with the reply.
 */
export async function approveWithZemu(sim: Zemu, flow: ZemuFlow, model: 'nanosp' | 'nanox'): Promise<string> {
  return withReview(sim, flow, model, directory => sim.compareSnapshotsAndApprove(directory, flow.name));
}

/** Starts Zemu, runs the flow up to the reject page, rejects, and stops Zemu. Resolves with the error. */
export async function rejectWithZemu(sim: Zemu, flow: ZemuFlow, model: 'nanosp' | 'nanox'): Promise<unknown> {
  const rejected = (directory: string) => {
    const keyword = flow.rejectKeyword || DEFAULT_REJECT_KEYWORD;
    return sim.navigateUntilText(directory, flow.name, keyword, true, false);
  };
  return withReview(sim, flow, model, rejected).then(
    reply => reply,
    (error: unknown) => error,
  );
}

const DEFAULT_REJECT_KEYWORD = 'REJECT';

async function withReview(
  sim: Zemu,
  flow: ZemuFlow,
  model: 'nanosp' | 'nanox',
  review: (directory: string) => Promise<unknown>,
): Promise<string> {
  const directory = await copySnapshots();
  const { approveKeyword, rejectKeyword } = flow;
  try {
    await sim.start({ ...DEFAULT_START_OPTIONS, model, approveKeyword, rejectKeyword });
    const reply = flow.ask(new Signer(sim.getTransport()));
    // The reply is awaited below. Until then, its rejection must not be unhandled if the review fails first.
    reply.catch(() => undefined);
    await sim.waitUntilScreenIsNot(sim.getMainMenuSnapshot());
    await review(directory);
    return await reply;
  } finally {
    await sim.close();
    if (process.env.UPDATE_SNAPSHOTS === '1') {
      await cp(join(directory, 'snapshots-tmp'), GOLDEN, { recursive: true, force: true }).catch(
        () => undefined,
      );
    }
    await rm(directory, { recursive: true, force: true });
  }
}
