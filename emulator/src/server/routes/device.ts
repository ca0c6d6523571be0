import type { FastifyInstance } from 'fastify';
import { type Button, Keys } from '../../device/buttons.js';
import type { Emulator } from '../../harness/emulator.js';
import type { Ticker } from '../ticker.js';

const BUTTON_PARAMS = { type: 'object', properties: { name: { enum: ['left', 'right', 'both'] } } };
const BUTTON_BODY = {
  type: 'object',
  required: ['action'],
  additionalProperties: false,
  properties: {
    action: { enum: ['press-and-release', 'press', 'release'] },
    delay: { type: 'number' },
  },
};

const BUTTON_SCHEMA = {
  summary: 'Press a button; the response is sent when the screen has been redrawn',
  params: BUTTON_PARAMS,
  body: BUTTON_BODY,
};

interface ButtonRoute {
  Params: { name: Button };
  Body: { action: 'press-and-release' | 'press' | 'release' };
}

/**
 * POST /button/left, /right, /both: answered after the screen is redrawn and its events are published. See
 * Keys for how `press` and `release` combine; `delay` is accepted and ignored.
 */
export function routeButton(server: FastifyInstance, emulator: Emulator): void {
  const keys = new Keys();
  server.post<ButtonRoute>(
    '/button/:name',
    { schema: BUTTON_SCHEMA },
    async ({ params: { name }, body: { action } }) => {
      if (action !== 'release') keys.press(name);
      const acted = action === 'press' ? undefined : keys.release(name);
      if (acted) emulator.press(acted);
      return {};
    },
  );
}

const SCREENSHOT_SCHEMA = { summary: 'Get the current screen', produces: 'image/png' };

/** GET /screenshot: the current screen as a PNG, see encodePng. */
export function routeScreenshot(server: FastifyInstance, emulator: Emulator): void {
  server.get('/screenshot', { schema: SCREENSHOT_SCHEMA }, (_request, reply) =>
    reply.type('image/png').header('cache-control', 'no-cache, no-store').send(emulator.png()),
  );
}

const RESTART_SCHEMA = { summary: 'Cut the power and restore it; a pending command gets no reply' };

/** POST /restart: unplugs the device and plugs it in again. The settings are kept. */
export function routeRestart(server: FastifyInstance, emulator: Emulator): void {
  server.post('/restart', { schema: RESTART_SCHEMA }, async () => {
    emulator.restart();
    return {};
  });
}

const TICKER_BODY = {
  type: 'object',
  required: ['action'],
  additionalProperties: false,
  properties: { action: { enum: ['pause', 'resume', 'single-step'] } },
};

const TICKER_SCHEMA = {
  summary: 'Pause the ticks of 100 ms, resume them, or wait for one',
  body: TICKER_BODY,
};

interface TickerRoute {
  Body: { action: 'pause' | 'resume' | 'single-step' };
}

/**
 * POST /ticker and /ticker/: the firmware has no ticks, but clients measure their waits in ticks. A single
 * step is answered after a tick, or when the screen changes.
 */
export function routeTicker(server: FastifyInstance, _emulator: Emulator, ticker: Ticker): void {
  for (const path of ['/ticker', '/ticker/']) {
    server.post<TickerRoute>(path, { schema: TICKER_SCHEMA }, async ({ body: { action } }) => {
      if (action === 'single-step') await ticker.step();
      else ticker.paused = action === 'pause';
      return {};
    });
  }
}

const FINGER_SCHEMA = { summary: 'Rejected: the model has no touch screen' };

/** POST /finger: always an error, because the model has no touch screen. */
export function routeFinger(server: FastifyInstance): void {
  server.post('/finger', { schema: FINGER_SCHEMA }, (_request, reply) =>
    reply.code(400).send({ error: 'this model has no touch screen; use /button/left, /right or /both' }),
  );
}
