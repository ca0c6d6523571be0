import { formatCoinAmount, toHex } from '@zbc-signer/chain';
import { networkName } from '@zbc-signer/host';
import type { RelayInfo } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { NoRelayError, RelayChainError } from '../../errors/errors.js';
import { formatTable } from '../../output/table.js';
import type { Outcome } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
  options: {
    node: { describe: "URL of your node [the gateway's node]" },
    ...GATEWAY_OPTIONS,
  },
  examples: [
    ['$0 relay check', 'prints OK, or exits with code 10 and both genesis hashes'],
    ['$0 relay check --node http://127.0.0.1:8884', 'compares the relay with a node that you run'],
  ],

  async run({ node, api }, terminal) {
    const gateway = openGateway({ api });
    const own = openGateway({ api: node ?? api });
    const reader = createReader(terminal);
    const relay = await retryRead(reader, request => gateway.relayInfo(request));
    if (relay === undefined) throw new NoRelayError();
    const info = await retryRead(reader, request => own.nodeInfo(request));
    const [relayHash, ownHash] = [toHex(relay.genesisHash), toHex(info.genesisHash)];
    // A relay on another chain cannot credit a payment.
    if (relayHash !== ownHash) throw new RelayChainError(relayHash, ownHash);
    return view(relay);
  },
});

function view({ address, rate, genesisHash }: RelayInfo): Outcome {
  return {
    json: {
      same_chain: true,
      relay: address,
      ...(rate !== undefined && { rate }),
      genesis_hash: genesisHash,
    },
    text: formatTable([
      ['Relay', address],
      ...(rate === undefined ? [] : [['Rate', `${formatCoinAmount(rate)} per megabyte`] as const]),
      ['Chain', `OK: relay and node are on ${networkName(genesisHash)}`],
      ['Genesis hash', toHex(genesisHash)],
    ]),
  };
}
