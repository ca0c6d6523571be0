import type { AppName, SignerVersion } from '@zbc-signer/host/node';
import { withSigner } from '../../connection/device.js';
import { formatTable } from '../../output/table.js';
import type { Outcome } from '../../output/terminal.js';
import { packageVersion } from '../../package-version.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS } from '../../parser/options.js';

export const command = defineCommand({
  options: { device: DEVICE_OPTIONS.device },
  examples: [['$0 version', 'the device must run the ZBC app']],

  async run({ device }, { signal }) {
    return withSigner(device, async signer => {
      const app = await signer.getAppName({ signal });
      return view(app, await signer.getVersion({ signal }), packageVersion());
    });
  },
});

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
      contacts_only: signer.contactsOnly,
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
      ['Contacts only', signer.contactsOnly ? 'yes' : 'no'],
      ['Locked', signer.locked ? 'yes' : 'no'],
    ]),
  };
}
