import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { derivePrivateKey, seedFromMnemonic, TEST_MNEMONIC, toHex } from '@zbc-signer/chain';
import { GENESIS, ModelChain } from '../../testkit/chain/model-chain.js';
import { OTHER } from '../../testkit/gateway/chain-answers.js';
import { GATEWAY_LIES, type GatewayLie, routeOf } from '../../testkit/gateway/gateway-lies.js';
import { runCommand } from '../../testkit/process/cli.js';
import { someOf } from '../../testkit/repository/case-count.js';

const SHARE = 40;
const SECRET = toHex(derivePrivateKey(seedFromMnemonic(TEST_MNEMONIC), 0));
const PAYMENT = JSON.stringify({ sender_privkey: SECRET, recipient: OTHER, amount: 5 });

/** Opens a gateway over HTTP that gives a false answer on one route. */
async function openGateway(route: string, lie: GatewayLie) {
  const chain = new ModelChain();
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const isPost = request.method === 'POST';
    const honest = chain.answer(request.url!, isPost ? body : undefined);
    const answer = routeOf(request.url!, isPost) === route ? await lie(honest) : honest;
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => request.socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { chain, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test.each(someOf(GATEWAY_LIES, SHARE).map(lie => [lie.route, lie.what, lie.lie] as const))(
  'send reports the true outcome when %s returns %s',
  async (route, _what, lie) => {
    const { chain, close, url } = await openGateway(route, lie);
    const words = ['send', '--json-input', '--json', '--api', url, '--genesis', GENESIS, '--timeout', '1s'];
    const { code, stdout, stderr } = await runCommand(words, { stdin: PAYMENT });
    close();
    const [paid] = [...chain.confirmed.keys()];
    const { transaction_hash: hash, error } = JSON.parse(stdout);
    expect([stderr, code === 1]).toEqual(['', false]);
    if (code === 0) expect([hash, error]).toEqual([paid, undefined]);
    else if (paid === undefined) expect(error.sent).not.toBe('yes');
    else {
      expect(['maybe', 'yes']).toContain(error.sent);
      expect(error.transaction_hash).toBe(paid);
    }
  },
);
