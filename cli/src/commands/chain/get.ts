import { createReader, openGateway, retryRead } from '../../connection/gateway.js';
import { CommandError, UsageError } from '../../errors/errors.js';
import { formatJsonText } from '../../output/json.js';
import { defineCommand } from '../../parser/command.js';
import { GATEWAY_OPTIONS } from '../../parser/options.js';

/** The routes of docs/gateway/routes.md that anyone may read and that answer JSON. */
const ROUTES = [
  '/api/v1/node/info',
  '/api/v1/blockchain/status',
  '/api/v1/blockchain/estimate-fee?type=ID&body_length=BYTES',
  '/api/v1/blocks?from=HEIGHT&limit=N',
  '/api/v1/blocks/latest',
  '/api/v1/blocks/:height',
  '/api/v1/accounts/:address',
  '/api/v1/accounts/:address/tokens',
  '/api/v1/tokens',
  '/api/v1/tokens/:tokenId',
  '/api/v1/transactions?limit=N',
  '/api/v1/transactions/:hash',
  '/api/v1/transactions/:hash/status',
  '/api/v1/movements/latest?limit=N',
  '/api/v1/exchange/markets',
  '/api/v1/exchange/orderbook?market=ID',
  '/api/v1/exchange/offers',
  '/api/v1/release/list',
  '/api/v1/registry/nodes',
  '/api/v1/registry/archivals',
  '/api/v1/registry/gateways',
  '/api/v1/registry/relays',
  '/gateway/status',
  '/gateway/health/live',
  '/gateway/health/ready',
  '/gateway/system-stats',
  '/gateway/allowlist',
  '/relay/info',
  '/verify?sha256=HEX',
  '/releases/latest',
  '/openapi.json',
];

export const command = defineCommand({
  arguments: { route: { demandOption: true, describe: 'one of the routes below, with its values' } },
  options: { ...GATEWAY_OPTIONS },
  examples: [
    ['$0 get /api/v1/blocks/latest', 'the newest block'],
    ["$0 get '/api/v1/exchange/orderbook?market=-42'", 'a shell may need quotes around a question mark'],
  ],
  notes: `Routes:\n${ROUTES.map(route => `  ${route}`).join('\n')}`,

  async run({ route, api }, terminal) {
    if (!ROUTES.some(known => patternOf(known).test(route))) {
      throw new UsageError(`${route} is not a route`, '`zbc-signer get --help` lists the routes.');
    }
    const gateway = openGateway({ api });
    const answer = await retryRead(createReader(terminal), request => gateway.get(route, request));
    if (answer === undefined)
      throw new CommandError('NO_RECORD', 'notFound', `the gateway has nothing at ${route}`);
    return { json: answer, text: formatJsonText(answer) };
  },
});

/** Matches a route with any values. A value cannot lead to another route, because it has no slash and no dot. */
function patternOf(route: string): RegExp {
  const path = route.split('?')[0]!.replaceAll('.', '\\.');
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[\\w%-]+')}(\\?[^\\s#]*)?$`);
}
