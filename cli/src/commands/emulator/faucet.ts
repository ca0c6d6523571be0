import { awaitHeight, type GatewayClient, GatewayError } from '@zbc-signer/host';
import { findAddress } from '../../connection/device.js';
import { openGateway } from '../../connection/gateway.js';
import { CommandError } from '../../errors/errors.js';
import { formatTable } from '../../output/table.js';
import { defineCommand } from '../../parser/command.js';
import { DEVICE_OPTIONS, GATEWAY_OPTIONS } from '../../parser/options.js';

const NOT_FOUND = 404;

export const command = defineCommand({
  arguments: { address: { describe: "the account [the device's]" } },
  options: { ...DEVICE_OPTIONS, ...GATEWAY_OPTIONS },
  examples: [
    ['$0 faucet', "coins and tokens of `zbc-signer devnet` for the device's account 0"],
    ['$0 faucet ZBC_7VCH…', 'coins and tokens for any account'],
  ],

  async run(options, terminal) {
    const gateway = openGateway(options);
    const { signal } = terminal;
    const address = await findAddress(options, signal);
    const blockHeight = await request(gateway, address, signal);
    await awaitHeight(gateway, blockHeight, { signal });
    return {
      json: { address, block_height: blockHeight },
      text: formatTable([
        ['Paid to', address],
        ['In block', `${blockHeight}`],
      ]),
    };
  },
});

/** Sends one request, because a second request would pay again. */
async function request(gateway: GatewayClient, address: string, signal: AbortSignal): Promise<bigint> {
  try {
    return (await gateway.faucet(address, { signal })).blockHeight;
  } catch (error) {
    const isMissing = error instanceof GatewayError && error.facts.status === NOT_FOUND;
    if (!isMissing) throw error;
    const hint = '`zbc-signer devnet` starts a development network, which has a faucet.';
    throw new CommandError('NO_FAUCET', 'notFound', 'this gateway has no faucet', { hint });
  }
}
