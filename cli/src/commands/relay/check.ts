import { formatCoins, toHex } from '@zbc-signer/chain';
import { networkName } from '@zbc-signer/host';
import type { RelayInfo } from '@zbc-signer/host/explorer';
import { openGateway } from '../../connection/gateway.js';
import { createReader, retryRead } from '../../connection/reader.js';
import { NoRelayError, RelayChainError } from '../../errors/errors.js';
import { formatTable } from '../../output/table.js';
import type { Outcome } from '../../output/terminal.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS, JSON_OPTION } from '../../parser/options.js';

export const command = defineCommand({
  configure: yargs =>
    yargs
      .options({
        node: { type: 'string', requiresArg: true, describe: "URL of your node [the gateway's node]" },
        ...GATEWAY_OPTIONS,
        ...JSON_OPTION,
      })
      .example('$0 relay check', 'prints OK, or exits with code 10 and both genesis hashes')
      .example('$0 relay check --node http://127.0.0.1:8884', 'against a node that you run'),

  async run({ node, api }, terminal) {
    const gateway = openGateway({ api });
    const own = openGateway({ api: node ?? api });
    const reader = createReader(terminal);
    const relay = await retryRead(reader, request => gateway.relayInfo(request));
    if (relay === undefined) throw new NoRelayError();
    const info = await retryRead(reader, request => own.nodeInfo(request));
    const genesisHash = toHex(info.genesisHash);
    // A relay on another chain cannot credit a payment.
    if (relay.genesisHash !== genesisHash) throw new RelayChainError(relay.genesisHash, genesisHash);
    return view(relay, genesisHash);
  },
});

function view({ address, rate }: RelayInfo, genesisHash: string): Outcome {
  return {
    json: {
      same_chain: true,
      relay: address,
      ...(rate !== undefined && { rate }),
      genesis_hash: genesisHash,
    },
    text: formatTable([
      ['Relay', address],
      ...(rate === undefined ? [] : [['Rate', `${formatCoins(rate)} ZBC per megabyte`] as const]),
      ['Chain', `OK: relay and node are on ${networkName(genesisHash)}`],
      ['Genesis hash', genesisHash],
    ]),
  };
}
