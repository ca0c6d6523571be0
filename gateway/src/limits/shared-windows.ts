import type { SharedRedis } from '../base/redis.js';
import { within } from '../base/within.js';
import { ClientWindows, type Count } from './client-windows.js';

/** A process counts so much of a client's requests alone before Redis hears of them: a time, or a share. */
const LEASE_MS = 100;
const LEASES_IN_MAXIMUM = 50;
/** After which Redis counts as unavailable; no request waits for it. */
const MAX_WAIT_MS = 500;
const ADD =
  "local count = redis.call('INCRBY', KEYS[1], ARGV[1]) local left = redis.call('PTTL', KEYS[1]) " +
  "if left < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) left = tonumber(ARGV[2]) end return {count, left}";

/** Requests of one client that Redis has not heard of. */
interface Lease {
  count: number;
  /** Set between two reports. */
  timer?: NodeJS.Timeout | undefined;
}

/**
 * Counts in memory that all processes of a gateway share through Redis. Each decides by what it knows and reports
 * afterwards, so that no request waits: processes admit together what comes within one lease of each too much.
 * During an outage each counts for itself.
 */
export class SharedWindows extends ClientWindows {
  readonly #windowMs: number;
  readonly #mostAlone: number;
  readonly #leases = new Map<string, Lease>();
  #redis: SharedRedis | undefined;
  #prefix = '';
  #isProbing = false;

  constructor(allowance: { maximum: number; windowMs: number }) {
    super(allowance);
    this.#windowMs = allowance.windowMs;
    this.#mostAlone = Math.max(1, Math.floor(allowance.maximum / LEASES_IN_MAXIMUM));
  }

  /** Until then, counts in memory alone; `prefix` begins the keys. */
  share(redis: SharedRedis, prefix: string): void {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  override count(client: string): Readonly<Count> {
    const count = super.count(client);
    if (this.#redis?.isUsable()) this.#lease(client);
    return count;
  }

  #lease(client: string): void {
    const known = this.#leases.get(client);
    const lease = known ?? { count: 0 };
    lease.count += 1;
    this.#leases.set(client, lease);
    const isUsedUp = lease.timer !== undefined && lease.count >= this.#mostAlone;
    if (known === undefined || isUsedUp) void this.#report(client, lease);
  }

  /** At once of the first request, then of what came meanwhile, for as long as something does. */
  async #report(client: string, lease: Lease): Promise<void> {
    clearTimeout(lease.timer);
    lease.timer = undefined;
    const { count } = lease;
    lease.count = 0;
    await this.#add(client, count);
    if (lease.count >= this.#mostAlone) return this.#report(client, lease);
    lease.timer = setTimeout(() => {
      if (lease.count > 0) void this.#report(client, lease);
      else this.#leases.delete(client);
    }, LEASE_MS);
    lease.timer.unref();
  }

  async #add(client: string, count: number): Promise<void> {
    const redis = this.#redis!;
    // One request finds out whether an outage is over.
    const isProbe = redis.lastFault() !== undefined;
    if (!redis.isUsable() || (isProbe && this.#isProbing)) return;
    this.#isProbing = isProbe;
    try {
      const command = redis.client.eval(ADD, 1, this.#prefix + client, count, this.#windowMs);
      const [total, leftMs] = (await within(MAX_WAIT_MS, command, giveUp)) as [number, number];
      redis.worked();
      this.learn(client, total, leftMs);
    } catch (error) {
      redis.failed(error);
    } finally {
      this.#isProbing = false;
    }
  }
}

function giveUp(): never {
  throw new Error('Redis did not answer in time');
}
