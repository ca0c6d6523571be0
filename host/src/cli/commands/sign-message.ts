import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, JSON_OPTION } from '../options.js';

export const signMessage = defineCommand({
  usage: 'sign-message <text>',
  summary: 'Sign a text, approved on the device',
  configure: yargs =>
    yargs
      .positional('text', {
        type: 'string',
        demandOption: true,
        describe: 'printable ASCII and line feeds; - reads it from stdin, byte for byte',
      })
      .options({ ...DEVICE_OPTIONS, ...JSON_OPTION })
      .example('$0 sign-message "Sign in to example.org"', 'raw Ed25519 over exactly these bytes')
      .example('printf %s "$text" | $0 sign-message -', 'from stdin'),
  run: async (options, terminal) => {
    const { signText } = await import('../actions/sign-message.js');
    return signText(options, terminal);
  },
});
