import type { FastifyInstance } from 'fastify';
import type { Emulator } from '../../harness/emulator.js';
import { Automation } from '../automation.js';
import { AUTOMATION_DOCUMENT, parseRules, type RuleDocument } from '../automation-rules.js';

const SCHEMA = {
  summary: 'Replace the rules that press buttons for screens',
  body: AUTOMATION_DOCUMENT,
};

/**
 * POST /automation: replaces the rules that press buttons when texts are drawn; `exit` stops the emulator.
 */
export function routeAutomation(server: FastifyInstance, emulator: Emulator): void {
  const automation = new Automation(emulator);
  server.post<{ Body: { rules: RuleDocument[] } }>('/automation', { schema: SCHEMA }, async ({ body }) => {
    automation.load(parseRules(body.rules));
    return {};
  });
}
