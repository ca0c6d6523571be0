import { toHex } from '../../../../chain/src/index.js';
import type { NodeInfo } from '../../gateway/index.js';
import { networkName } from '../../networks.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';

interface NodeInfoOptions {
  api?: string | undefined;
}

export async function showNodeInfo(options: NodeInfoOptions, terminal: Terminal): Promise<Outcome> {
  const gateway = openGateway(options);
  const info = await retryRead(createReader(terminal), request => gateway.nodeInfo(request));
  return { json: infoJson(info), text: describeInfo(info) };
}

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
  const hash = toHex(genesisHash);
  return formatTable([
    ['Network', networkName(hash)],
    ['Genesis hash', hash],
    ['Height', `${height}`],
    ['Signing version', signingVersion === undefined ? 'not told' : `${signingVersion}`],
    ['Signing tag', signingTag ?? 'not told'],
    ...(version === undefined ? [] : [['Node version', version] as const]),
    ...(peerCount === undefined ? [] : [['Peers', `${peerCount}`] as const]),
    ...(synced === undefined ? [] : [['In step', synced ? 'yes' : 'no'] as const]),
  ]);
}
