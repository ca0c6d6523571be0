import type { FastifyInstance } from 'fastify';
import { type Button, Keys } from '../../device/buttons.js';
import type { Emulator } from '../../harness/emulator.js';

const PARAMS = { type: 'object', properties: { name: { enum: ['left', 'right', 'both'] } } };
const BODY = {
  type: 'object',
  required: ['action'],
  additionalProperties: false,
  properties: {
    action: { enum: ['press-and-release', 'press', 'release'] },
    delay: { type: 'number' },
  },
};

const SCHEMA = {
  summary: 'Press a button; answered when the screen is redrawn',
  params: PARAMS,
  body: BODY,
};

interface ButtonRoute {
  Params: { name: Button };
  Body: { action: 'press-and-release' | 'press' | 'release' };
}

/**
 * POST /button/left, /right, /both: answered when the screen is redrawn and its events are published. See
 * Keys for how `press` and `release` combine; `delay` is accepted and ignored.
 */
export function routeButton(server: FastifyInstance, emulator: Emulator): void {
  const keys = new Keys();
  server.post<ButtonRoute>(
    '/button/:name',
    { schema: SCHEMA },
    async ({ params: { name }, body: { action } }) => {
      if (action !== 'release') keys.press(name);
      const acted = action === 'press' ? undefined : keys.release(name);
      if (acted) emulator.press(acted);
      return {};
    },
  );
}
