import { cleanText } from '../../../../chain/src/index.js';
import type { RegistryEntry, RegistryKind } from '../../gateway/index.js';
import { openGateway } from '../gateway.js';
import { createReader, retryRead } from '../reading.js';
import { formatColumns } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';

const MAX_CELL = 72;

interface NodeListOptions {
  kind?: RegistryKind | undefined;
  api?: string | undefined;
}

export async function listNodes(options: NodeListOptions, terminal: Terminal): Promise<Outcome> {
  const kind = options.kind ?? 'nodes';
  const gateway = openGateway(options);
  const entries = await retryRead(createReader(terminal), request => gateway.registry(kind, request));
  return {
    json: { [kind]: entries.map(entryJson) },
    text: formatColumns(
      ['Where', 'Version', 'Since block', 'Public key'],
      entries.map(entryRow),
      `The chain's registry has no ${kind}.`,
    ),
  };
}

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
  return [describePlace(entry), version ?? '', `${registeredHeight ?? ''}`, publicKey].map(cell =>
    cleanText(cell, MAX_CELL),
  );
}

function describePlace({ ip, port, host, address }: RegistryEntry): string {
  const place = ip === undefined || port === undefined ? ip : `${ip}:${port}`;
  return place ?? host ?? address ?? '';
}
