import type { AppName, SignerVersion } from '../../node.js';
import { withSigner } from '../device.js';
import { hostVersion } from '../host-version.js';
import { formatTable } from '../table.js';
import type { Outcome, Terminal } from '../terminal.js';

interface VersionOptions {
  device?: string | undefined;
}

export async function showVersion({ device }: VersionOptions, { signal }: Terminal): Promise<Outcome> {
  return withSigner(device, async signer => {
    const app = await signer.getAppName({ signal });
    return view(app, await signer.getVersion({ signal }), hostVersion());
  });
}

function view(app: AppName, signer: SignerVersion, host: string): Outcome {
  return {
    json: {
      host_version: host,
      app_name: app.name,
      app_version: app.version,
      protocol_version: signer.protocolVersion,
      firmware_version: signer.firmwareVersion,
      supported_types: signer.supportedTypes,
      max_transaction_size: signer.maxTransaction,
      max_message_size: signer.maxMessage,
      max_instruction_size: signer.maxInstruction,
      refuses_unknown_chains: signer.refusesUnknownChains,
      locked: signer.locked,
    },
    text: formatTable([
      ['zbc-signer', host],
      ['Device app', `${app.name} ${app.version}`],
      ['Firmware', signer.firmwareVersion],
      ['Protocol', `${signer.protocolVersion}`],
      ['Transaction types', signer.supportedTypes.join(', ')],
      ['Largest transaction', `${signer.maxTransaction} bytes`],
      ['Longest message', `${signer.maxMessage} bytes`],
      ['Longest instruction', `${signer.maxInstruction} bytes`],
      ['Unknown chains', signer.refusesUnknownChains ? 'refused' : 'allowed'],
      ['Locked', signer.locked ? 'yes' : 'no'],
    ]),
  };
}
