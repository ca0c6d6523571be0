import { type Account, encodeAccount } from '../../chain/src/index.js';
import { OWN_ACCOUNTS, OWN_KEYS } from './accounts.js';
import { judgeByChain } from './chain-judge.js';
import { DeviceJudge } from './device-judge.js';
import { DIFFERENCES, type Difference } from './differences.js';
import { layoutByKinds } from './layout.js';
import { meaningFault } from './meaning.js';
import { NodeJudge, type NodeVerdict } from './node-judge.js';
import type { Upload } from './upload.js';
import { describeVerdict, type Verdict } from './verdict.js';

/** Firmware and chain/, or those and the node. */
export type Asked = 'two' | 'three';

/** How a case ended; `fault` says how the judges part, and is missing where they agree or where a difference is wanted. */
export interface Judgement {
  device: Verdict;
  chain: Verdict;
  /** Missing when it was not asked. */
  node?: NodeVerdict;
  difference?: Difference;
  fault?: string;
}

/** Others than the real ones, for a test of the proof itself. */
export interface Judging {
  judgeChain?: typeof judgeByChain;
  differences?: readonly Difference[];
}

/** Firmware, chain/ and node side by side. */
export class Judges {
  readonly #device: DeviceJudge;
  readonly #node = new NodeJudge(OWN_KEYS);
  readonly #judging: Required<Judging>;

  private constructor(device: DeviceJudge, judging: Judging) {
    this.#device = device;
    this.#judging = { judgeChain: judgeByChain, differences: DIFFERENCES, ...judging };
  }

  static async start(judging: Judging = {}): Promise<Judges> {
    return new Judges(await DeviceJudge.start(), judging);
  }

  async judge(upload: Upload, asked: Asked): Promise<Judgement> {
    const own = OWN_ACCOUNTS[upload.account]!;
    const signers = {
      device: await this.#device.judge(upload),
      chain: this.#judging.judgeChain(upload, own),
    };
    const node = asked === 'three' ? this.#node.judge(upload.transaction) : undefined;
    const judgement = { ...signers, ...(node && { node }) };
    if (describeVerdict(signers.device) !== describeVerdict(signers.chain)) {
      return { ...judgement, fault: 'the firmware and the decoder of chain/ part' };
    }
    return node ? { ...judgement, ...this.#compare(upload, own, signers.chain, node) } : judgement;
  }

  stop(): void {
    this.#device.stop();
  }

  /** The signer's verdict, which firmware and chain/ share, beside the node's. */
  #compare(upload: Upload, own: Account, signer: Verdict, node: NodeVerdict): Partial<Judgement> {
    const [taken, second] = node.taken;
    if (second) {
      return { fault: 'the node takes the same bytes under two namings' };
    }
    if ('shown' in signer && taken) {
      const fault = meaningFault(upload, taken);
      return fault === undefined ? {} : { fault };
    }
    if ('refused' in signer && !taken) {
      return {};
    }
    const takenBy = taken ? 'node' : 'signer';
    const difference = this.#differenceOf(upload, own, signer, node);
    return difference ? { difference } : { fault: `only the ${takenBy} takes it` };
  }

  #differenceOf(upload: Upload, own: Account, signer: Verdict, node: NodeVerdict): Difference | undefined {
    const refusal = 'refused' in signer ? signer.refused : undefined;
    const layout = node.taken[0]?.layout ?? layoutByKinds(upload.transaction);
    if (layout === undefined) {
      return undefined;
    }
    const parting = { upload, own: encodeAccount(own), layout, refusal, node };
    return this.#judging.differences.find(
      ({ takenBy, applies }) => takenBy === (refusal ? 'node' : 'signer') && applies(parting),
    );
  }
}
