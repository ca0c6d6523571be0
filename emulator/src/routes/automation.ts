import type { FastifyInstance } from 'fastify';
import { Automation } from '../automation.js';
import { AUTOMATION_DOCUMENT, parseRules, type RuleDocument } from '../automation-rules.js';
import type { Emulator } from '../harness.js';

const SCHEMA = {
  summary: 'Replace the rules that answer screens by pressing buttons',
  body: AUTOMATION_DOCUMENT,
};

/** POST /automation: rules that press buttons when texts are drawn; `exit` stops the emulator. */
export function routeAutomation(server: FastifyInstance, emulator: Emulator): void {
  const automation = new Automation(emulator);
  server.post<{ Body: { rules: RuleDocument[] } }>('/automation', { schema: SCHEMA }, async ({ body }) => {
    automation.load(parseRules(body.rules));
    return {};
  });
}
