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

/** How a case ended; `fault` says in a sentence how the judges part, and is missing where they agree or may differ. */
export interface Judgement {
  device: Verdict;
  chain: Verdict;
  /** Missing when it was not asked. */
  node?: NodeVerdict;
  difference?: Difference;
  fault?: string;
}

export interface Judges {
  judge(upload: Upload, judges: 'two' | 'three'): Promise<Judgement>;
  stop(): void;
}

export type ChainJudge = typeof judgeByChain;

/** Starts the device; `judgeChain` is another decoder than chain/'s, for a test of this proof itself. */
export async function startJudges(judgeChain: ChainJudge = judgeByChain): Promise<Judges> {
  const device = await DeviceJudge.start();
  const node = new NodeJudge(OWN_KEYS);
  return {
    judge: async (upload, judges) => {
      const own = OWN_ACCOUNTS[upload.account]!;
      const verdicts = { device: await device.judge(upload), chain: judgeChain(upload, own) };
      const apart = describeVerdict(verdicts.device) !== describeVerdict(verdicts.chain);
      if (apart) return { ...verdicts, fault: 'the firmware and the decoder of chain/ part' };
      if (judges === 'two') return verdicts;
      return compareWithNode({ ...verdicts, node: node.judge(upload.transaction) }, upload, own);
    },
    stop: () => device.stop(),
  };
}

function compareWithNode(judged: Judgement & { node: NodeVerdict }, upload: Upload, own: Account): Judgement {
  const { chain, node } = judged;
  const [taken, second] = node.taken;
  if (second) {
    return { ...judged, fault: 'the node takes the same bytes under two namings' };
  }
  if ('refused' in chain ? !taken : taken) {
    const fault = taken && meaningFault(upload, taken);
    return { ...judged, ...(fault && { fault }) };
  }
  const refusal = 'refused' in chain ? chain.refused : undefined;
  const layout = taken?.layout ?? layoutByKinds(upload.transaction)!;
  const parting = { upload, own: encodeAccount(own), layout, refusal, node };
  const takenBy = taken ? 'node' : 'signer';
  const difference = DIFFERENCES.find(known => known.takenBy === takenBy && known.applies(parting));
  if (difference) {
    return { ...judged, difference };
  }
  return { ...judged, fault: taken ? 'only the node takes it' : 'only the signer takes it' };
}
