import { APPROVAL_ESCROW } from '@zbc-signer/protocol/transaction-types';
import { parseHash } from '../input/values.js';
import type { Outcome, Terminal } from '../output/terminal.js';
import { parseDraftBase, type SendingOptions, sendFromDevice } from './sending.js';

/** Sends the decision about an escrow: 0 approves, 1 rejects. */
export async function sendDecision(
  approval: 0 | 1,
  options: SendingOptions & { hash: string },
  terminal: Terminal,
): Promise<Outcome> {
  const escrowHash = parseHash('the transaction hash', options.hash);
  const draft = { type: APPROVAL_ESCROW, approval, escrowHash, ...parseDraftBase(options) } as const;
  return sendFromDevice(draft, options, terminal);
}
