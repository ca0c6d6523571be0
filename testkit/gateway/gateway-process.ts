// Tests start this program. It runs a gateway with a gateway.json, and with changed values of constants.
import { loadGatewayConfig, startGateway } from '@zbc-signer/gateway';
import { WALLET_DIRECTORY as walletDirectory } from '@zbc-signer/wallet';

const [, , path = '', fixed = '{}'] = process.argv;
const { config } = await loadGatewayConfig(path);
const gateway = await startGateway(
  { ...config, ...JSON.parse(fixed) },
  { onError: () => undefined, walletDirectory },
);
process.stdout.write(`${JSON.stringify({ url: gateway.url })}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void gateway.stop());
