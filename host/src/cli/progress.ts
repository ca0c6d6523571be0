import { formatCoins, formatUnits } from '../../../chain/src/index.js';
import type { FlowEvent } from '../flow/run.js';
import { networkName } from '../networks.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

/** Tells the flow's events to a person; `asksDevice` is false where no device will show anything. */
export function reportProgress(terminal: Terminal, asksDevice: boolean): (event: FlowEvent) => void {
  let last: string | undefined;
  return event => {
    if (event.step === 'review' && asksDevice) {
      terminal.interruptionHint = 'Nothing was sent. If the device still shows the review, reject it there.';
    }
    if (event.step === 'signed') {
      terminal.interruptionHint = `It may have been sent: ask \`zbc-signer status ${event.transactionHash}\`.`;
    }
    const line = describeEvent(event);
    // Questions that are asked together fail together.
    if (line !== undefined && line !== last) {
      terminal.say(line);
    }
    last = line;
    if (event.step === 'review' && asksDevice) {
      terminal.say(`${terminal.style('bold', 'The device should show:')}\n${formatTable(event.items, '  ')}`);
    }
    const wait = describeWait(event, asksDevice);
    if (wait !== undefined) {
      void terminal.wait(wait);
    }
  };
}

function describeEvent(event: FlowEvent): string | undefined {
  switch (event.step) {
    case 'direct':
      return describeDirect(event);
    case 'chain':
      return `Chain: ${networkName(event.genesisHash)} at height ${event.height}`;
    case 'account':
      return `Account: ${event.address} can spend ${formatCoins(event.spendable)} ZBC`;
    case 'token': {
      const { id, decimals, symbol } = event.token;
      return `Token: ${id}${symbol === undefined ? '' : ` (${symbol})`} with ${decimals} decimals, can spend ${formatUnits(event.spendable, decimals)}`;
    }
    case 'fee':
      return `Fee: ${formatCoins(event.fee)} ZBC`;
    case 'review':
      return undefined;
    case 'signed':
      return `Signed: ${event.transactionHash}`;
    case 'broadcast':
      return `Accepted${event.duplicate ? ' before' : ''}: the gateway reports the same hash`;
    case 'stage':
      return `Status: ${event.stage}${event.blockHeight === undefined ? '' : ` in block ${event.blockHeight}`}`;
    case 'retry':
      return `${event.error instanceof Error ? event.error.message : 'failed'}; again in ${event.pauseMs / 1000} s`;
  }
}

function describeDirect({ node, answered, signingVersion }: Extract<FlowEvent, { step: 'direct' }>): string {
  const said = answered
    ? `says ${signingVersion === undefined ? 'nothing of it either' : signingVersion}`
    : 'does not answer';
  return `The gateway does not tell the signing version: its node ${node}, asked directly, ${said}`;
}

function describeWait(event: FlowEvent, asksDevice: boolean): string | undefined {
  switch (event.step) {
    case 'review':
      return asksDevice ? 'Compare every page on the device, then approve or reject there' : undefined;
    case 'signed':
      return 'Sending';
    case 'broadcast':
      return 'Waiting for the confirmation';
    default:
      return undefined;
  }
}
