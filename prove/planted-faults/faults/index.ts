import type { Room } from '../fault.js';
import { apdu } from './apdu.js';
import { chain } from './chain.js';
import { crypto } from './crypto.js';
import { emulator } from './emulator.js';
import { flow } from './flow.js';
import { gateway } from './gateway.js';
import { handlers } from './handlers.js';
import { host } from './host.js';
import { review } from './review.js';
import { screen } from './screen.js';
import { tools } from './tools.js';
import { transaction } from './transaction.js';

/** Every fault, by room, in the order in which data flows. */
export const rooms: readonly Room[] = [
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
  gateway,
  tools,
];
