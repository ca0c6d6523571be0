import { type Account, encodeAccount } from '@zbc-signer/chain';
import { OWN_KEYS, ownAccount } from './case/accounts.js';
import { layoutByKinds } from './case/layout.js';
import type { Upload } from './case/upload.js';
import { DIFFERENCES, type Difference } from './differences.js';
import { DeviceOracle } from './oracle/device-oracle.js';
import { meaningFault } from './oracle/meaning.js';
import { NodeOracle, type NodeVerdict } from './oracle/node-oracle.js';
import { chainVerdict, describeVerdict, type Verdict } from './oracle/verdict.js';

/** The compared parties: firmware and chain/, or these two and the node. */
export type ComparedParties = 'two' | 'three';

/** The outcome of a case; `fault` describes an unexpected divergence, if any. */
export interface Comparison {
  device: Verdict;
  chain: Verdict;
  /** Absent if the node was not asked. */
  node?: NodeVerdict;
  difference?: Difference;
  fault?: string;
}

/** Replacements for the oracle of chain/ and for the differences, to test the comparison itself. */
export interface OracleOptions {
  askChain?: typeof chainVerdict;
  differences?: readonly Difference[];
}

/** Compares firmware, chain/ and node. */
export class Oracles {
  readonly #device: DeviceOracle;
  readonly #node = new NodeOracle(OWN_KEYS);
  readonly #options: Required<OracleOptions>;

  private constructor(device: DeviceOracle, options: OracleOptions) {
    this.#device = device;
    this.#options = { askChain: chainVerdict, differences: DIFFERENCES, ...options };
  }

  static async start(options: OracleOptions = {}): Promise<Oracles> {
    return new Oracles(await DeviceOracle.start(), options);
  }

  async compare(upload: Upload, asked: ComparedParties): Promise<Comparison> {
    const own = ownAccount(upload.account);
    const signers = {
      device: await this.#device.verdict(upload),
      chain: this.#options.askChain(upload, own),
    };
    const node = asked === 'three' ? this.#node.verdict(upload.transaction) : undefined;
    const comparison = { ...signers, ...(node && { node }) };
    if (describeVerdict(signers.device) !== describeVerdict(signers.chain)) {
      return { ...comparison, fault: 'the firmware and the decoder of chain/ disagree' };
    }
    return node ? { ...comparison, ...this.#compare(upload, own, signers.chain, node) } : comparison;
  }

  stop(): void {
    this.#device.stop();
  }

  /** Compares the verdict of the signer, on which firmware and chain/ agree, with the node's. */
  #compare(upload: Upload, own: Account, signer: Verdict, node: NodeVerdict): Partial<Comparison> {
    const [taken, second] = node.taken;
    if (second) return { fault: 'the node accepts two interpretations of the same bytes' };
    if ('shown' in signer && taken) {
      const fault = meaningFault(upload, taken);
      return fault === undefined ? {} : { fault };
    }
    if ('refused' in signer && !taken) return {};
    const takenBy = taken ? 'node' : 'signer';
    const difference = this.#differenceOf(upload, own, signer, node);
    return difference ? { difference } : { fault: `only the ${takenBy} accepts it` };
  }

  #differenceOf(upload: Upload, own: Account, signer: Verdict, node: NodeVerdict): Difference | undefined {
    const refusal = 'refused' in signer ? signer.refused : undefined;
    const layout = node.taken[0]?.layout ?? layoutByKinds(upload.transaction);
    if (layout === undefined) return undefined;
    const divergence = { upload, own: encodeAccount(own), layout, refusal, node };
    return this.#options.differences.find(
      ({ takenBy, applies }) => takenBy === (refusal ? 'node' : 'signer') && applies(divergence),
    );
  }
}
