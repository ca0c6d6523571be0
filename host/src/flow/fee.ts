import { encodeBody, type Transaction } from '@zbc-signer/chain';
import { WINDOW_SECONDS } from './clock.js';
import { clockError, feeTooHighError, feeTooLowError } from './errors.js';
import type { PrepareStep } from './prepare.js';
import { retryRead } from './retry.js';

/**
 * The given fee or the node's minimum. Throws `FEE_TOO_LOW`, `FEE_TOO_HIGH`, or `CLOCK_MISMATCH` if the
 * node's clock would reject the timestamp.
 */
export async function chooseFee(
  step: PrepareStep,
  transaction: Transaction,
  given?: bigint,
): Promise<bigint> {
  // The fee depends on the body's length, which does not depend on the fee.
  const bodyLength = encodeBody(transaction).length;
  const estimate = await retryRead(step, options =>
    step.gateway.estimateFee(transaction.type, bodyLength, options),
  );
  checkClock(transaction.timestamp, estimate.timestamp);
  const { minimumFee } = estimate;
  const fee = given ?? minimumFee;
  if (fee < minimumFee) throw feeTooLowError(fee, minimumFee);
  if (fee > step.maxFee) throw feeTooHighError(fee, step.maxFee, minimumFee);
  step.report({ step: 'fee', fee, minimumFee });
  return fee;
}

function checkClock(hostTime: bigint, nodeTime: bigint | undefined): void {
  if (nodeTime === undefined) return;
  const difference = hostTime - nodeTime;
  if (difference > WINDOW_SECONDS || -difference > WINDOW_SECONDS) throw clockError(hostTime, nodeTime);
}
