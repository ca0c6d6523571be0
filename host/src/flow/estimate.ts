import { invalidInputError, TRANSACTION_FORMATS } from '@zbc-signer/chain';
import { askMinimum } from './chain/fee.js';
import type { Draft } from './draft/draft.js';
import { startFlowStep } from './flow-step.js';
import { readOptions } from './input.js';
import type { PrepareOptions } from './options.js';

/**
 * The minimum fee of a draft, in atomic units. Only its type and `feeInToken` matter, so it may lack all other
 * fields. Reserves nothing. Throws `FEE_MISMATCH` if other gateways answer and no two agree, or a GatewayError.
 */
export async function estimateFee(
  draft: Pick<Draft, 'type'> & { feeInToken?: boolean | undefined },
  givenOptions: Pick<PrepareOptions, 'gateway' | 'otherGateways' | 'signal' | 'clock'>,
): Promise<bigint> {
  const options = readOptions(givenOptions, 'gateway');
  const { gateway, otherGateways = [] } = options;
  const { type, feeInToken } = Object(draft) as typeof draft;
  const lengths = Object.hasOwn(TRANSACTION_FORMATS, type) ? TRANSACTION_FORMATS[type].bodyLengths : [];
  const length = lengths.at(feeInToken === undefined ? 0 : -1);
  if (length === undefined) throw invalidInputError('type must be one of TransactionType');
  const step = { ...startFlowStep(options), gateway, otherGateways, deadlineMs: Number.POSITIVE_INFINITY };
  return (await askMinimum(step, { type, length }, false)).minimumFee;
}
