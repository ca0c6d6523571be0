import { cleanText } from '@zbc-signer/chain';
import type { RegistryEntry } from '@zbc-signer/host/explorer';
import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { formatColumns } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

const MAX_CELL = 72;

export const command = defineCommand({
  options: {
    kind: {
      choices: ['nodes', 'gateways', 'relays', 'archivals'] as const,
      describe: 'kind to list [nodes]',
    },
    ...GATEWAY_OPTIONS,
  },
  examples: [['$0 node list --kind relays', 'with address and public key']],

  async run(options, terminal) {
    const kind = options.kind ?? 'nodes';
    const gateway = openGateway(options);
    const entries = await retryRead(createReader(terminal), request => gateway.registry(kind, request));
    return {
      json: { [kind]: entries.map(entryJson) },
      text: formatColumns(
        ['Location', 'Version', 'Since block', 'Public key'],
        entries.map(entryRow),
        `The chain's registry has no ${kind}.`,
      ),
    };
  },
});

function entryJson(entry: RegistryEntry): Record<string, unknown> {
  const { publicKey, ip, port, host, address, rate, version, registeredHeight } = entry;
  return {
    public_key: publicKey,
    ...(ip !== undefined && { ip }),
    ...(port !== undefined && { port }),
    ...(host !== undefined && { host }),
    ...(address !== undefined && { address }),
    ...(rate !== undefined && { rate }),
    ...(version !== undefined && { version }),
    ...(registeredHeight !== undefined && { registered_height: registeredHeight }),
  };
}

function entryRow(entry: RegistryEntry): string[] {
  const { publicKey, version, registeredHeight } = entry;
  return [describeLocation(entry), version ?? '', `${registeredHeight ?? ''}`, publicKey].map(cell =>
    cleanText(cell, MAX_CELL),
  );
}

function describeLocation({ ip, port, host, address }: RegistryEntry): string {
  const place = ip === undefined || port === undefined ? ip : `${ip}:${port}`;
  return place ?? host ?? address ?? '';
}
