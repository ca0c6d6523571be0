// Run by the test of what a gateway survives: a gateway with the nodes of argv, and its URL as the first
// line.
import { startGateway } from '#gateway/gateway.js';
import { gatewayConfig } from '../../../testkit/gateway/gateway-config.js';

const [changes = '{}'] = process.argv.slice(2);
const { url } = await startGateway(gatewayConfig(JSON.parse(changes)), { onError: () => {} });
console.log(url);
