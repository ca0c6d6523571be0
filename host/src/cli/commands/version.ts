import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, JSON_OPTION } from '../options.js';

export const version = defineCommand({
  usage: 'version',
  summary: "Print this program's version and the device's: app, types, limits, flags",
  configure: yargs => yargs.options({ device: DEVICE_OPTIONS.device, ...JSON_OPTION }),
  run: async ({ device }, { signal }) => {
    const [{ withSigner }, { hostVersion }, { formatTable }] = await Promise.all([
      import('../device.js'),
      import('../host-version.js'),
      import('../table.js'),
    ]);
    const { app, signer: found } = await withSigner(device, async signer => ({
      app: await signer.getAppName({ signal }),
      signer: await signer.getVersion({ signal }),
    }));
    const host = hostVersion();
    return {
      json: {
        host_version: host,
        app_name: app.name,
        app_version: app.version,
        protocol_version: found.protocolVersion,
        firmware_version: found.firmwareVersion,
        supported_types: found.supportedTypes,
        max_transaction_size: found.maxTransaction,
        max_message_size: found.maxMessage,
        max_instruction_size: found.maxInstruction,
        refuses_unknown_chains: found.refusesUnknownChains,
        locked: found.locked,
      },
      text: formatTable([
        ['zbc-signer', host],
        ['Device app', `${app.name} ${app.version}`],
        ['Firmware', found.firmwareVersion],
        ['Protocol', `${found.protocolVersion}`],
        ['Transaction types', found.supportedTypes.join(', ')],
        ['Largest transaction', `${found.maxTransaction} bytes`],
        ['Longest message', `${found.maxMessage} bytes`],
        ['Longest instruction', `${found.maxInstruction} bytes`],
        ['Unknown chains', found.refusesUnknownChains ? 'refused' : 'allowed'],
        ['Locked', found.locked ? 'yes' : 'no'],
      ]),
    };
  },
});
