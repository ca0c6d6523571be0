import { encodeBody, type Transaction } from '@zbc-signer/chain';
import { clockError, feeTooHighError, feeTooLowError } from './errors.js';
import { retryRead } from './retry.js';
import type { Run } from './run.js';

/** The chain accepts a timestamp within an hour of its own clock. */
const WINDOW_SECONDS = 3600n;

/**
 * The given fee or the node's minimum. Throws `FEE_TOO_LOW`, `FEE_TOO_HIGH`, or `CLOCK_MISMATCH` if the
 * node's clock would reject the timestamp.
 */
export async function chooseFee(run: Run, transaction: Transaction, given?: bigint): Promise<bigint> {
  // The fee depends on the body's length, which does not depend on the fee.
  const bodyLength = encodeBody(transaction).length;
  const estimate = await retryRead(run, options =>
    run.gateway.estimateFee(transaction.type, bodyLength, options),
  );
  checkClock(transaction.timestamp, estimate.timestamp);
  const { minimumFee } = estimate;
  const fee = given ?? minimumFee;
  if (fee < minimumFee) throw feeTooLowError(fee, minimumFee);
  if (fee > run.maxFee) throw feeTooHighError(fee, run.maxFee, minimumFee);
  run.report({ step: 'fee', fee, minimumFee });
  return fee;
}

function checkClock(hostTime: bigint, nodeTime: bigint | undefined): void {
  if (nodeTime === undefined) return;
  const difference = hostTime - nodeTime;
  if (difference > WINDOW_SECONDS || -difference > WINDOW_SECONDS) throw clockError(hostTime, nodeTime);
}
