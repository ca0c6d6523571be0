import { GatewayUnreachableError } from '@zbc-signer/host';
import { defineCommand } from '../../parser/command.js';

/** Used before a start, and by the health check of the container. */
export const command = defineCommand({
  options: {
    config: { demandOption: true, describe: 'path of the configuration, such as gateway.json' },
    'config-only': {
      type: 'boolean',
      describe: 'check only the file and those that it names, before a start; do not ask the running gateway',
    },
  },
  examples: [
    ['$0 gateway check --config gateway.json', 'exit 0 if the file is valid and its gateway answers'],
    ['$0 gateway check --config gateway.json --config-only', 'before a start or a restart'],
  ],

  async run({ config: path, configOnly = false }) {
    const { checkFiles, checkGateway, loadGatewayConfig } = await import('@zbc-signer/gateway');
    const { config, warnings: own } = await loadGatewayConfig(path);
    const warnings = [...own, ...(await checkFiles(config))];
    const text = [...warnings.map(warning => `Warning: ${warning}`), `${path} is valid.`];
    if (configOnly) return { json: { valid: true, warnings }, text: text.join('\n') };
    const url = await checkGateway(config).catch(error => {
      throw new GatewayUnreachableError(`port ${config.listenPort}`, Object(error).message, error, false);
    });
    return { json: { valid: true, warnings, url }, text: [...text, `${url} answers.`].join('\n') };
  },
});
