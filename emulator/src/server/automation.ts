import { type Context, createContext, Script } from 'node:vm';
import type { FastifyInstance } from 'fastify';
import { Keys } from '../device/buttons.js';
import type { Screen, ScreenText } from '../device/platform.js';
import { EmulatorStoppedError, FirmwareCrashError } from '../errors.js';
import type { Emulator } from '../harness/emulator.js';
import {
  AUTOMATION_DOCUMENT,
  type AutomationRule,
  BUTTONS,
  parseRules,
  type RuleDocument,
} from './automation-rules.js';

/** Screens handled before yielding, so that rules in an endless loop do not block the process. */
const SCREENS_A_TURN = 256;
/** Time limit for all expressions on one text, because some would take years. */
const MATCHING_MS = 5000;

/** The search runs as a script, because only scripts can be interrupted. */
const FIND = new Script('find()');

/**
 * Answers screens by rules, as Speculos does: for each drawn text, performs the actions of the first rule
 * that matches. It does so after all other listeners have got the screen, and before the press or command
 * that drew the screen is answered.
 */
export class Automation {
  #rules: readonly AutomationRule[] = [];
  #variables = new Map<string, boolean>();
  #keys = new Keys();
  #unread: Screen[] = [];
  #running = false;
  #limited: Context | undefined;

  constructor(
    private readonly emulator: Emulator,
    private readonly matchingMs = MATCHING_MS,
  ) {
    emulator.on('screen', screen => this.#read(screen));
    emulator.on('stop', () => this.load([]));
  }

  /** Replaces the rules, and resets variables and held keys. The new rules ignore the current screen. */
  load(rules: readonly AutomationRule[]): void {
    this.#rules = rules;
    this.#variables = new Map();
    this.#keys = new Keys();
    this.#unread = [];
  }

  #read(screen: Screen): void {
    if (this.#rules.length === 0) return;
    this.#unread.push(screen);
    if (this.#running) return;
    this.#running = true;
    queueMicrotask(() => this.#answer());
  }

  #answer(): void {
    for (let turn = 0; turn < SCREENS_A_TURN; turn++) {
      const screen = this.#unread.shift();
      if (!screen) {
        this.#running = false;
        return;
      }
      for (const text of screen.texts) this.#act(text);
    }
    setImmediate(() => this.#answer());
  }

  #act(text: ScreenText): void {
    for (const [action, ...values] of this.#find(text)?.actions ?? []) {
      if (action === 'exit') this.emulator.stop();
      else if (action === 'setbool') this.#variables.set(...(values as [string, boolean]));
      else this.#button(...(values as [1 | 2, boolean]));
    }
  }

  /** Drops the rules with a warning if their expressions take too long. */
  #find(text: ScreenText): AutomationRule | undefined {
    const holds = ([name, value]: readonly [string, boolean]) =>
      (this.#variables.get(name) ?? false) === value;
    const find = () =>
      this.#rules.find(({ matches, conditions }) => matches(text) && conditions.every(holds));
    if (!this.#rules.some(({ hasPattern }) => hasPattern)) return find();
    this.#limited ??= createContext();
    this.#limited.find = find;
    try {
      return FIND.runInContext(this.#limited, { timeout: this.matchingMs }) as AutomationRule | undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      this.load([]);
      process.emitWarning(
        `the expressions of the automation rules took more than ${this.matchingMs} ms on one text of the` +
          ' screen: the rules are dropped',
      );
      return undefined;
    }
  }

  #button(key: 1 | 2, down: boolean): void {
    const button = BUTTONS[key];
    if (down) this.#keys.press(button);
    const acted = down ? undefined : this.#keys.release(button);
    try {
      if (acted) this.emulator.press(acted);
    } catch (error) {
      // These errors are reported elsewhere: a crash answers the pending command, a stopped emulator closes
      // its servers.
      if (!(error instanceof FirmwareCrashError || error instanceof EmulatorStoppedError)) throw error;
    }
  }
}

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
