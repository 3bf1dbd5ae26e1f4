import type { RedisConnection } from '@solegate/redis-infra';
import type { Logger } from 'pino';

const INTERVAL_MS = 5_000;

interface RedisMemoryState {
  readonly usedBytes: number;
  /** 0: no limit. */
  readonly maxBytes: number;
  /** Whether a full Redis deletes keys instead of refusing writes. */
  readonly evicts: boolean;
}

/** How much memory Redis uses. Measured every five seconds: nobody waits for a Redis that does not respond. */
export class RedisMemory {
  #state: RedisMemoryState | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly redis: RedisConnection,
    private readonly logger: Logger,
  ) {}

  /** At most five seconds old; undefined while Redis does not respond. */
  get state(): RedisMemoryState | undefined {
    return this.#state;
  }

  /** Resolves when it has measured once. Never rejects. */
  async start(): Promise<void> {
    this.#timer = setInterval(() => void this.look(), INTERVAL_MS).unref();
    await this.look();
    if (!this.#state?.evicts) return;
    this.logger.warn('Redis may evict marks of counters: set maxmemory-policy to noeviction.');
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Measures once. Never rejects. */
  async look(): Promise<void> {
    try {
      this.#state = this.redis.status === 'ready' ? memoryOf(await this.redis.info('memory')) : undefined;
    } catch (error) {
      this.#state = undefined;
      this.logger.debug({ err: error }, 'the memory of Redis could not be measured');
    }
  }
}

function memoryOf(text: string): RedisMemoryState {
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  const maxBytes = read('maxmemory');
  const evicts = maxBytes > 0 && !text.includes('maxmemory_policy:noeviction');
  return { usedBytes: read('used_memory'), maxBytes, evicts };
}
