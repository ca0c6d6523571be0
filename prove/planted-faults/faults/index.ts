import type { Module } from '../fault.js';
import { apdu } from './apdu.js';
import { chain } from './chain.js';
import { cli } from './cli.js';
import { crypto } from './crypto.js';
import { devnet } from './devnet.js';
import { emulator } from './emulator.js';
import { flow } from './flow.js';
import { handlers } from './handlers.js';
import { host } from './host.js';
import { review } from './review.js';
import { screen } from './screen.js';
import { tools } from './tools.js';
import { transaction } from './transaction.js';

/** Every fault, by module, in the order in which data flows. */
export const modules: readonly Module[] = [
  crypto,
  transaction,
  review,
  screen,
  handlers,
  apdu,
  chain,
  host,
  flow,
  emulator,
  devnet,
  cli,
  tools,
];
