import { setTimeout as sleep } from 'node:timers/promises';
import { toHex } from '@zbc-signer/chain';
import { ExplorerClient } from '@zbc-signer/host/explorer';
import type { Report } from './schedule.js';

const SETTLE_MS = 120_000;
const POLL_MS = 20;

/** Counts the occurrences of each transaction in the full node's blocks, by hash. */
export class Ledger {
  readonly #counts = new Map<string, number>();
  readonly #node: ExplorerClient;
  #height = 0n;

  constructor(nodeUrl: string) {
    this.#node = new ExplorerClient(nodeUrl);
  }

  /** Reads the blocks made since the last call. */
  async read(): Promise<void> {
    const { height } = await this.#node.blockchainStatus();
    for (; this.#height <= height; this.#height += 1n) {
      const block = await this.#node.block(this.#height);
      for (const { hash } of block?.transactions ?? []) {
        const hex = toHex(hash);
        this.#counts.set(hex, (this.#counts.get(hex) ?? 0) + 1);
      }
    }
  }

  count(hash: string): number {
    return this.#counts.get(hash) ?? 0;
  }

  /** Waits until every transaction that was reported sent is in a block. */
  async settle(reports: readonly Report[]): Promise<void> {
    const end = Date.now() + SETTLE_MS;
    const isMissing = ({ hash, outcome }: Report) => outcome === 'sent' && this.count(`${hash}`) === 0;
    await this.read();
    while (reports.some(isMissing) && Date.now() < end) {
      await sleep(POLL_MS);
      await this.read();
    }
  }
}

/** Contradictions between the reports and the ledger. */
export function faultsOf(reports: readonly Report[], count: (hash: string) => number): string[] {
  const approved = reports.filter(({ hash }) => hash !== undefined);
  const sent = approved.filter(({ outcome }) => outcome === 'sent').map(({ hash }) => hash);
  const twice = sent.filter((hash, at) => sent.indexOf(hash) !== at);
  return [
    ...twice.map(hash => `${hash}: two payments are reported as sent by the same transaction`),
    ...approved.flatMap(report => faultOf(report, count(`${report.hash}`))),
  ];
}

function faultOf({ hash, outcome, code }: Report, times: number): string[] {
  const wanted = { sent: [1], no: [0], maybe: [0, 1], duplicate: [1], 'not approved': [0] }[outcome];
  return wanted.includes(times)
    ? []
    : [`${hash}: reported as ${outcome} (${code}), but ${times} times on the chain`];
}
