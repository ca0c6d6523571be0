import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../../harness/emulator.js';
import type { Ticker } from '../ticker.js';

const BODY = {
  type: 'object',
  required: ['action'],
  additionalProperties: false,
  properties: { action: { enum: ['pause', 'resume', 'single-step'] } },
};

const SCHEMA = { summary: 'Pause the ticks of 100 ms, resume them, or wait for one', body: BODY };

interface TickerRoute {
  Body: { action: 'pause' | 'resume' | 'single-step' };
}

/**
 * POST /ticker and /ticker/: the firmware has no ticks, but clients measure their waits in them. A single
 * step is answered after a tick, or when the screen changes.
 */
export function routeTicker(server: FastifyInstance, _emulator: Emulator, ticker: Ticker): void {
  for (const path of ['/ticker', '/ticker/']) {
    server.post<TickerRoute>(path, { schema: SCHEMA }, async ({ body: { action } }) => {
      if (action === 'single-step') await ticker.step();
      else ticker.paused = action === 'pause';
      return {};
    });
  }
}
