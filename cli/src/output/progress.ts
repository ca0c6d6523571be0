import { formatCoinAmount, formatUnits, toHex } from '@zbc-signer/chain';
import { type CheckedNonce, type FlowEvent, networkName } from '@zbc-signer/host';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

/**
 * Prints the events of a payment for the user. `asksDevice` is false if no device shows a review. `waits` is
 * false if the command ends with the broadcast.
 */
export function reportProgress(
  terminal: Terminal,
  asksDevice: boolean,
  waits = true,
): (event: FlowEvent) => void {
  let last: string | undefined;
  return event => {
    if (event.step === 'review' && asksDevice) {
      terminal.interruptionHint = 'Nothing was sent. If the device still shows the review, reject it there.';
    }
    if (event.step === 'signed') terminal.interruptionHint = undefined;
    if (event.step === 'submitting') {
      const hash = toHex(event.signed.transactionHash);
      terminal.lastWords = `Transaction ${hash} may have been sent: run \`zbc-signer payments resume\` to find out.`;
    }
    const line = describeEvent(event, asksDevice);
    // Parallel requests fail together and would repeat the line.
    if (line !== undefined && line !== last) terminal.report(line);
    last = line;
    if (event.step === 'review' && asksDevice) {
      const title = terminal.style('bold', 'The device should show:');
      terminal.report(`${title}\n${formatTable(event.items, '  ')}`);
    }
    const wait = describeWait(event, asksDevice, waits);
    if (wait !== undefined) void terminal.wait(wait);
  };
}

function describeEvent(event: FlowEvent, asksDevice: boolean): string | undefined {
  switch (event.step) {
    case 'direct':
      return describeDirect(event);
    case 'chain':
      return `Chain: ${networkName(event.genesisHash)} at height ${event.height}`;
    case 'account':
      return `Account: ${event.address} can spend ${formatCoinAmount(event.spendable)}`;
    case 'token':
      return describeToken(event);
    case 'fee':
      return describeFee(event);
    case 'review':
    case 'submitting':
      return undefined;
    case 'signed':
      return `Signed: ${toHex(event.transactionHash)}${asksDevice ? `\n${describeCheck(event.antiExfil)}` : ''}`;
    case 'broadcast':
      return `${event.duplicate ? 'Already accepted' : 'Accepted'}: the gateway reports the same hash`;
    case 'stage':
      return `Status: ${event.stage}${describePlace(event.blockHeight)}`;
    case 'retry':
      return `${describeError(event.error)}; retrying in ${Number((event.pauseMs / 1000).toPrecision(3))} s`;
  }
}

/** What the check of a signature for hidden data found. */
export function describeCheck(check: CheckedNonce | undefined): string {
  const withheld = check?.withheld ?? 0;
  const missing =
    withheld === 0 ? '' : `; WARNING: the device withheld ${withheld} signatures of this key before`;
  return `The signature was ${check ? '' : 'not '}checked for hidden data${missing}`;
}

/** Adds a warning with the ratio of fee to amount if the fee is high. */
function describeFee({ fee, highShare }: Extract<FlowEvent, { step: 'fee' }>): string {
  const warning = highShare === undefined ? '' : `; WARNING: this is ${formatShare(highShare)} the amount`;
  return `Fee: ${formatCoinAmount(fee)}${warning}`;
}

function formatShare(share: number): string {
  return share < 10 ? `${Math.round(share * 100)} % of` : `${Math.round(share)} times`;
}

function describeToken({ token, spendable }: Extract<FlowEvent, { step: 'token' }>): string {
  const { id, decimals, symbol } = token;
  const name = symbol === undefined ? id : `${id} (${symbol})`;
  return `Token: ${name} with ${decimals} decimals, can spend ${formatUnits(spendable, decimals)}`;
}

function describePlace(blockHeight: bigint | undefined): string {
  return blockHeight === undefined ? '' : ` in block ${blockHeight}`;
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : 'failed';
}

function describeDirect({ node, answered, signingVersion }: Extract<FlowEvent, { step: 'direct' }>): string {
  const version = signingVersion === undefined ? 'does not report it either' : `reports ${signingVersion}`;
  const result = answered ? version : 'does not answer';
  return `The gateway does not report the signing version; its node ${node} ${result}`;
}

function describeWait(event: FlowEvent, asksDevice: boolean, waits: boolean): string | undefined {
  switch (event.step) {
    case 'review':
      return asksDevice ? 'Compare every page on the device, then approve or reject there' : undefined;
    case 'signed':
      return 'Sending';
    case 'broadcast':
      return waits ? 'Waiting for the confirmation' : undefined;
    default:
      return undefined;
  }
}
