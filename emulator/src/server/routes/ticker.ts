import type { FastifyInstance } from 'fastify';

const BODY = {
  type: 'object',
  required: ['action'],
  additionalProperties: false,
  properties: { action: { enum: ['pause', 'resume', 'single-step'] } },
};

const SCHEMA = { summary: 'No effect: there are no ticks', body: BODY };

/** POST /ticker and /ticker/: accepted and ignored: the firmware has no ticks. */
export function routeTicker(server: FastifyInstance): void {
  for (const path of ['/ticker', '/ticker/']) server.post(path, { schema: SCHEMA }, async () => ({}));
}
