import { toHex } from '@zbc-signer/chain';
import { type NodeInfo, networkName } from '@zbc-signer/host';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
  options: { ...GATEWAY_OPTIONS },
  examples: [['$0 node info --api https://gateway.example', 'the node behind a gateway']],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const info = await retryRead(createReader(terminal), request => gateway.nodeInfo(request));
    return { json: infoJson(info), text: describeInfo(info) };
  },
});

function infoJson(info: NodeInfo): Record<string, unknown> {
  const { genesisHash, height, signingVersion, signingTag, version, peerCount, synced } = info;
  return {
    genesis_hash: toHex(genesisHash),
    height,
    ...(signingVersion !== undefined && { signing_version: signingVersion }),
    ...(signingTag !== undefined && { signing_tag: signingTag }),
    ...(version !== undefined && { version }),
    ...(peerCount !== undefined && { peer_count: peerCount }),
    ...(synced !== undefined && { synced }),
  };
}

function describeInfo(info: NodeInfo): string {
  const { genesisHash, height, signingVersion, signingTag, version, peerCount, synced } = info;
  return formatTable([
    ['Network', networkName(genesisHash)],
    ['Genesis hash', toHex(genesisHash)],
    ['Height', `${height}`],
    ['Signing version', signingVersion === undefined ? 'not reported' : `${signingVersion}`],
    ['Signing tag', signingTag ?? 'not reported'],
    ...(version === undefined ? [] : [['Node version', version] as const]),
    ...(peerCount === undefined ? [] : [['Peers', `${peerCount}`] as const]),
    ...(synced === undefined ? [] : [['Synced', synced ? 'yes' : 'no'] as const]),
  ]);
}
