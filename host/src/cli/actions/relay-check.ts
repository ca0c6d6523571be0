import { formatCoins, toHex } from '../../../../chain/src/index.js';
import { networkName } from '../../networks.js';
import { NoRelayError, RelayChainError } from '../errors.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';

interface RelayOptions {
  node?: string | undefined;
  api?: string | undefined;
}

/** interface.md "What the service does" 9: a relay on another chain cannot credit a payment. */
export async function checkRelay({ node, api }: RelayOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway({ api });
  const own = openGateway({ api: node ?? api });
  const reader = createReader(terminal);
  const relay = await retryRead(reader, request => gateway.relayInfo(request));
  if (relay === undefined) {
    throw new NoRelayError();
  }
  const info = await retryRead(reader, request => own.nodeInfo(request));
  const genesisHash = toHex(info.genesisHash);
  if (relay.genesisHash !== genesisHash) {
    throw new RelayChainError(relay.genesisHash, genesisHash);
  }
  const { address, rate } = relay;
  return {
    json: {
      same_chain: true,
      relay: address,
      ...(rate !== undefined && { rate }),
      genesis_hash: genesisHash,
    },
    text: formatTable([
      ['Relay', address],
      ...(rate === undefined ? [] : [['Rate', `${formatCoins(rate)} ZBC a megabyte`] as const]),
      ['Chain', `OK: relay and node are on ${networkName(genesisHash)}`],
      ['Genesis hash', genesisHash],
    ]),
  };
}
