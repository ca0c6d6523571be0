import { encodeBody, type Transaction } from '@zbc-signer/chain';
import { SEND_ZBC } from '@zbc-signer/protocol/transaction-types';
import { WINDOW_SECONDS } from '../../clock.js';
import type { FeeEstimate, GatewayClient, RequestOptions } from '../../gateway/index.js';
import { clockError, feeMismatchError, feeTooHighError, feeTooLowError } from '../errors.js';
import type { GatewayStep, PrepareStep } from '../flow-step.js';
import { askOthers } from './chain.js';
import { retryRead } from './retry.js';

/** Above this share of the amount, a fee is reported as high. */
const HIGH_SHARE = 0.1;

/**
 * The given fee or the minimum, in atomic units. Throws `FEE_MISMATCH`, `FEE_TOO_LOW`, `FEE_TOO_HIGH` or, if
 * the timestamp and the node's clock differ too much, `CLOCK_MISMATCH`.
 */
export async function chooseFee(
  step: PrepareStep,
  transaction: Transaction,
  given?: bigint,
): Promise<bigint> {
  // The fee depends on the body's length, which does not depend on the fee.
  const body = { type: transaction.type, length: encodeBody(transaction).length };
  const { minimumFee, timestamp: nodeTime } = await askMinimum(step, body, given !== undefined);
  checkClock(transaction.timestamp, nodeTime);
  const fee = given ?? minimumFee;
  if (fee < minimumFee || fee === 0n) throw feeTooLowError(fee, minimumFee);
  if (fee > step.maxFee) throw feeTooHighError(fee, step.maxFee, minimumFee);
  step.report({ step: 'fee', fee, minimumFee, highShare: highShareOf(fee, transaction) });
  return fee;
}

/**
 * The gateway's estimate. If other gateways answer, the fee that two gateways agree on. If no two agree, throws
 * `FEE_MISMATCH`, unless the fee is given; the gateway's own estimate is then its lower limit.
 */
export async function askMinimum(
  step: GatewayStep,
  { type, length }: { type: number; length: number },
  isGiven: boolean,
): Promise<FeeEstimate> {
  const ask = (gateway: GatewayClient, options: RequestOptions) => gateway.estimateFee(type, length, options);
  const own = await retryRead(step, options => ask(step.gateway, options));
  const { answers } = await askOthers(step, ask);
  const fees = [own, ...answers.map(({ answer }) => answer)].map(({ minimumFee }) => minimumFee);
  const agreed = fees.find((fee, at) => fees.indexOf(fee) < at);
  const [other] = answers;
  if (agreed === undefined && other !== undefined && !isGiven) {
    throw feeMismatchError(own.minimumFee, other.answer.minimumFee, other.gateway.url);
  }
  return { ...own, minimumFee: agreed ?? own.minimumFee };
}

/** The fee divided by the amount, if both are in coins and the result is high; otherwise undefined. */
function highShareOf(fee: bigint, transaction: Transaction): number | undefined {
  if (transaction.type !== SEND_ZBC || transaction.amount === 0n) return undefined;
  const share = Number(fee) / Number(transaction.amount);
  return share > HIGH_SHARE ? share : undefined;
}

function checkClock(hostTime: bigint, nodeTime: bigint | undefined): void {
  if (nodeTime === undefined) return;
  const difference = hostTime - nodeTime;
  if (difference > WINDOW_SECONDS || -difference > WINDOW_SECONDS) throw clockError(hostTime, nodeTime);
}
