import { defineCommand } from '../command.js';
import { DEVICE_OPTIONS, JSON_OPTION } from '../options.js';

/** One more than the signer takes (signer-protocol §1.3), so that it is the signer who says how much is too much. */
const MAX_INPUT_BYTES = 65_536;

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
  run: async ({ text, device, account }, terminal) => {
    const [{ toHex }, { withSigner }, { parseAccountIndex }, { readInput }, { formatText }, { formatTable }] =
      await Promise.all([
        import('../../../../chain/src/index.js'),
        import('../device.js'),
        import('../values.js'),
        import('../input.js'),
        import('../../expected-review.js'),
        import('../table.js'),
      ]);
    const index = parseAccountIndex(account);
    const message =
      text === '-' ? await readInput('the message', MAX_INPUT_BYTES) : new TextEncoder().encode(text);
    const { signal } = terminal;
    return withSigner(device, async signer => {
      const own = await signer.getPublicKey(index, { signal });
      const items = [['Account', own.address] as const, ['Message', formatText(message)] as const];
      terminal.say(`The device should show:\n${formatTable(items, '  ')}`);
      await terminal.wait('Compare every page on the device, then approve or reject there');
      const signature = toHex((await signer.signMessage(index, message, { signal })).signature);
      return {
        json: { account: index, address: own.address, public_key: toHex(own.publicKey), signature },
        text: signature,
      };
    });
  },
});
