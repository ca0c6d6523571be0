import yargs, { type Argv } from 'yargs';
import { addCommand } from './command.js';
import { address } from './commands/address.js';
import { balance } from './commands/balance.js';
import { block } from './commands/block.js';
import { demo } from './commands/demo.js';
import { devnet } from './commands/devnet.js';
import { emulator } from './commands/emulator.js';
import { escrow } from './commands/escrow.js';
import { gallery } from './commands/gallery.js';
import { gateway } from './commands/gateway.js';
import { history } from './commands/history.js';
import { markets } from './commands/markets.js';
import { node } from './commands/node.js';
import { offers } from './commands/offers.js';
import { orderbook } from './commands/orderbook.js';
import { relay } from './commands/relay.js';
import { releases } from './commands/releases.js';
import { send } from './commands/send.js';
import { sendToken } from './commands/send-token.js';
import { signMessage } from './commands/sign-message.js';
import { status } from './commands/status.js';
import { tokens } from './commands/tokens.js';
import { tx } from './commands/tx.js';
import { verify } from './commands/verify.js';
import { version } from './commands/version.js';
import { UsageError } from './errors.js';
import { EXIT_CODES } from './exit-codes.js';
import type { Terminal } from './terminal.js';
import { explainFault } from './usage-fault.js';

const MAX_WIDTH = 110;
/** What may be given more than once: words, the files of the gallery, and a gateway's nodes. */
const LISTS = ['_', '--', 'vectors', 'chaos', 'full-node', 'fullNode', 'archival-node', 'archivalNode'];

/** Every command with its options; errors are thrown, nothing ends the process. */
export function createParser(words: readonly string[], terminal: Terminal, hostVersion: string): Argv {
  const parser = configureParser(hostVersion);
  const commands = [
    addCommand(parser, address, terminal),
    addCommand(parser, balance, terminal),
    addCommand(parser, send, terminal),
    addCommand(parser, sendToken, terminal),
    addCommand(parser, escrow, terminal),
    addCommand(parser, signMessage, terminal),
    addCommand(parser, status, terminal),
    addCommand(parser, history, terminal),
    addCommand(parser, block, terminal),
    addCommand(parser, tokens, terminal),
    addCommand(parser, markets, terminal),
    addCommand(parser, orderbook, terminal),
    addCommand(parser, offers, terminal),
    addCommand(parser, node, terminal),
    addCommand(parser, relay, terminal),
    addCommand(parser, releases, terminal),
    addCommand(parser, verify, terminal),
    addCommand(parser, tx, terminal),
    addCommand(parser, version, terminal),
    addCommand(parser, emulator, terminal),
    addCommand(parser, devnet, terminal),
    addCommand(parser, gateway, terminal),
    addCommand(parser, gallery, terminal),
    addCommand(parser, demo, terminal),
  ];
  return parser.fail((complaint, error) => {
    // The parser's own errors have this name; any other comes from a command.
    if (error !== undefined && error.name !== 'YError') {
      throw error;
    }
    const options = Object.keys(Reflect.get(Object(Reflect.get(parser, 'parsed')), 'aliases') ?? {});
    throw explainFault(complaint ?? error?.message ?? '', { words, commands, options });
  });
}

function configureParser(hostVersion: string): Argv {
  return yargs()
    .scriptName('zbc-signer')
    .usage('$0 <command> [options]\n\nThe command line of the ZBC hardware signer.')
    .locale('en')
    .parserConfiguration({
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'boolean-negation': false,
      'dot-notation': false,
    })
    .exitProcess(false)
    .wrap(Math.min(MAX_WIDTH, process.stdout.columns || MAX_WIDTH))
    .help()
    .alias('help', 'h')
    .version(hostVersion)
    .strict()
    .demandCommand(1, 'say what to do: one of the commands')
    .epilogue(`Exit codes:\n${describeExitCodes()}`)
    .check(refuseTwice);
}

function describeExitCodes(): string {
  return EXIT_CODES.map(({ code, meaning }) => `  ${`${code}`.padStart(3)}  ${meaning}`).join('\n');
}

/** Of two amounts, neither is the one to send. */
function refuseTwice(options: Record<string, unknown>): true {
  for (const [name, value] of Object.entries(options)) {
    if (!LISTS.includes(name) && Array.isArray(value)) {
      throw new UsageError(`--${name} is given twice`);
    }
  }
  return true;
}
