import { forkTypeScript, type TypeScriptChild } from '@solegate/testkit';
import type { ChaosFlowName, ChaosReply, ChaosRequest, ChaosStores } from './protocol.js';
import type { Fault } from './schedule.js';
import type { ChaosRedis } from './stores/redis.js';

/** A client gives up on a process after this long and asks another one. */
const CLIENT_TIMEOUT_MS = 400;

type Question = Omit<ChaosRequest, 'id'>;

/** Gateway processes and the Redis they share, with what is done to them. */
export class Fleet implements AsyncDisposable {
  readonly #flow: ChaosFlowName;
  readonly #stores: ChaosStores;
  readonly #redis: ChaosRedis;
  readonly #members: Member[];
  #lastId = 0;
  #isEnded = false;
  #redisWork = Promise.resolve();
  #isRedisSpared = false;

  private constructor(flow: ChaosFlowName, stores: ChaosStores, redis: ChaosRedis, count: number) {
    this.#flow = flow;
    this.#stores = stores;
    this.#redis = redis;
    this.#members = Array.from({ length: count }, () => new Member(this.#start()));
  }

  static async open(options: {
    readonly flow: ChaosFlowName;
    readonly stores: ChaosStores;
    readonly redis: ChaosRedis;
    readonly processCount: number;
  }): Promise<Fleet> {
    const fleet = new Fleet(options.flow, options.stores, options.redis, options.processCount);
    await Promise.all(fleet.#members.map((member) => member.isReady));
    return fleet;
  }

  get size(): number {
    return this.#members.length;
  }

  /** What the process answered, or `TIMEOUT`: the client knows nothing then. */
  ask(process: number, question: Question, timeoutMs = CLIENT_TIMEOUT_MS): Promise<string> {
    this.#lastId += 1;
    const member = this.#members[process];
    if (!member) throw new RangeError(`there is no process ${process}`);
    return member.ask({ ...question, id: this.#lastId }, timeoutMs);
  }

  strike(fault: Fault): void {
    switch (fault.kind) {
      case 'KILL_PROCESS': {
        const member = this.#members[fault.process];
        const child = member?.child;
        void child?.kill().then(() => {
          // Struck twice while it died, it is replaced once: nobody would end the other one.
          if (!this.#isEnded && member?.child === child) member?.replace(this.#start());
        });
        return;
      }
      case 'PAUSE_PROCESS': {
        const child = this.#members[fault.process]?.child;
        child?.pause();
        setTimeout(() => child?.resume(), fault.forMs);
        return;
      }
      case 'PAUSE_REDIS':
        this.#queueRedis(() => this.#redis.pauseFor(fault.forMs));
        return;
      case 'LOSE_REDIS':
        this.#queueRedis(() => this.#redis.lose());
    }
  }

  /** Ends the blows to Redis, also those that wait for an earlier one; resolves when the last is over. */
  spareRedis(): Promise<void> {
    this.#isRedisSpared = true;
    return this.#redisWork;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    await this.#redisWork;
    await Promise.all(this.#members.map(({ child }) => child.kill()));
  }

  /** One blow after the other, so that Redis is always given back. */
  #queueRedis(work: () => Promise<void>): void {
    this.#redisWork = this.#redisWork.then(() => (this.#isRedisSpared ? undefined : work()));
    // Whoever waits for it hears of it.
    this.#redisWork.catch(() => {});
  }

  #start(): TypeScriptChild {
    return forkTypeScript(new URL('./gateway-process.ts', import.meta.url), [
      this.#flow,
      JSON.stringify(this.#stores),
    ]);
  }
}

/** One process and who waits for its answers. */
class Member {
  readonly #waiting = new Map<number, (answered: string) => void>();
  child: TypeScriptChild;
  isReady: Promise<void>;

  constructor(child: TypeScriptChild) {
    this.child = child;
    this.isReady = this.#listen(child);
  }

  replace(child: TypeScriptChild): void {
    this.child = child;
    this.isReady = this.#listen(child);
  }

  ask(request: ChaosRequest, timeoutMs: number): Promise<string> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle('TIMEOUT'), timeoutMs);
      const settle = (answered: string) => {
        clearTimeout(timer);
        this.#waiting.delete(request.id);
        resolve(answered);
      };
      this.#waiting.set(request.id, settle);
      this.child.send(request);
    });
  }

  /** Resolves when the process says that it is there; goes on listening until it ends. */
  #listen(child: TypeScriptChild): Promise<void> {
    return new Promise((resolve) => {
      const read = async () => {
        for (;;) {
          const { id, answered } = (await child.nextLine(120_000)) as ChaosReply;
          if (id === 0) resolve();
          this.#waiting.get(id)?.(answered);
        }
      };
      read().catch(() => resolve());
    });
  }
}
