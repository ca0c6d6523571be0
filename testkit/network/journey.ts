import { type Devnet, type DevnetOptions, startDevnet } from '@zbc-signer/devnet';
import type { EmulatorServer } from '@zbc-signer/emulator';
import { awaitHeight, GatewayClient } from '@zbc-signer/host';
import { startServer } from '../device/device-host.js';
import { type CliResult, runCommand, startCli } from '../process/cli.js';
import { accounts } from '../repository/vectors.js';

export const FIRST = accounts.cases[0]!.address;
export const SECOND = accounts.cases[1]!.address;

const BLOCK_TIME_MS = 100;

/**
 * A device with its interfaces, and a development network on which the device's first two accounts have
 * coins.
 */
export class Journey {
  /** Directory of the payments and contacts of all commands. */
  state: string | undefined;

  private constructor(
    readonly server: EmulatorServer,
    readonly devnet: Devnet,
    readonly gateway: GatewayClient,
  ) {}

  static async start(options: DevnetOptions = {}): Promise<Journey> {
    const [server, devnet] = await Promise.all([
      startServer(),
      startDevnet({ blockTimeMs: BLOCK_TIME_MS, namedChain: true, ...options }),
    ]);
    const gateway = new GatewayClient(devnet.url);
    await gateway.faucet(FIRST);
    const { blockHeight } = await gateway.faucet(SECOND);
    // The request goes directly to the node, so that the gateway is unused before the test.
    await awaitHeight(new GatewayClient(devnet.archivalUrl), blockHeight!);
    return new Journey(server, devnet, gateway);
  }

  async stop(): Promise<void> {
    await this.server.close();
    await this.devnet.stop();
  }

  /** The environment of its commands. Without a directory for the state, each has its own. */
  get env(): Record<string, string> {
    const state = this.state === undefined ? {} : { XDG_STATE_HOME: this.state };
    return { ZBC_SIGNER_DEVICE: this.server.api, ZBC_SIGNER_API: this.devnet.url, ...state };
  }

  /** Runs a command that needs no decision by the user. */
  run(...words: string[]): Promise<CliResult> {
    return runCommand(words, { env: this.env });
  }

  /** Runs a command, reads its review, and approves or rejects it. */
  async decide(
    decision: 'approve' | 'reject',
    ...words: string[]
  ): Promise<CliResult & { review: string[][] }> {
    const done = this.run(...words);
    const ended = done.then(({ stdout, stderr }) => {
      throw new Error(`the command ended without a review: ${stdout}${stderr}`);
    });
    await Promise.race([this.server.emulator.waitForReview(), ended]);
    ended.catch(() => undefined);
    const review = await this.server.emulator.review();
    await this.server.emulator[decision]();
    return { ...(await done), review };
  }

  /** Starts a command. Resolves when its review is on the screen. */
  async startReview(...words: string[]): Promise<ReturnType<typeof startCli>> {
    const cli = startCli(words, { env: this.env });
    await this.server.emulator.waitForReview();
    return cli;
  }
}
