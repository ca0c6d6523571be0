import { defineCommand } from '../command.js';

export const gatewayInit = defineCommand({
  usage: 'init [file]',
  summary: "Write a gateway's configuration with a new admin key in it",
  configure: yargs =>
    yargs
      .positional('file', { type: 'string', describe: 'the file, which must not exist yet [gateway.json]' })
      .options({
        host: {
          type: 'string',
          requiresArg: true,
          describe: 'the name that clients ask for [localhost]',
        },
        'public-url': {
          type: 'string',
          requiresArg: true,
          describe: 'https://HOST[:PORT] of a proxy in front that has TLS',
        },
        mode: {
          choices: ['private', 'public'] as const,
          describe: "the given nodes alone, or those of the chain's registry too [private]",
        },
        'full-node': {
          type: 'string',
          requiresArg: true,
          describe: 'IP:PORT of a full node; may be repeated [127.0.0.1:8884]',
        },
        'archival-node': {
          type: 'string',
          requiresArg: true,
          describe: 'IP:PORT of an archival node; may be repeated [127.0.0.1:8885]',
        },
        'listen-host': { type: 'string', requiresArg: true, describe: 'address to listen on [127.0.0.1]' },
        'listen-port': { type: 'string', requiresArg: true, describe: 'port to listen on [8883]' },
        'cert-file': { type: 'string', requiresArg: true, describe: 'PEM file of a certificate, for HTTPS' },
        'key-file': { type: 'string', requiresArg: true, describe: 'PEM file of its key' },
        'self-signed': { type: 'boolean', describe: 'HTTPS with a certificate of its own, for development' },
        json: { type: 'boolean', describe: 'one JSON object on stdout, errors too' },
      })
      .example(
        '$0 gateway init --host gateway.example --full-node 192.0.2.10:8884 --archival-node 192.0.2.11:8885',
        'the key is in the file and nowhere else',
      )
      .example('$0 gateway init --listen-port 8886', 'for the nodes of devnet, beside its own gateway'),
  run: async (options, terminal) => {
    const { initGateway } = await import('../actions/gateway-init.js');
    return initGateway(options, terminal);
  },
});
