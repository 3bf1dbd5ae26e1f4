import { forkTypeScript, type TypeScriptChild } from '@solegate/testkit';
import type { ChaosFlowName, ChaosReply, ChaosRequest, ChaosStores } from './protocol.js';
import type { Fault } from './schedule.js';
import type { ChaosRedis } from './stores/redis.js';

/** Time after which a client gives up on a process and calls another, in milliseconds. */
const CLIENT_TIMEOUT_MS = 400;

type Question = Omit<ChaosRequest, 'id'>;

/** Gateway processes, their shared Redis, and the faults of both. */
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
    await fleet.whenReady();
    return fleet;
  }

  get size(): number {
    return this.#members.length;
  }

  /** The answer of the process, or `TIMEOUT`. */
  ask(process: number, question: Question, timeoutMs = CLIENT_TIMEOUT_MS): Promise<string> {
    this.#lastId += 1;
    const member = this.#members[process];
    if (!member) throw new RangeError(`there is no process ${process}`);
    return member.ask({ ...question, id: this.#lastId }, timeoutMs);
  }

  /** Resolves when every process serves calls; on a busy machine, one that was killed needs seconds to start. */
  async whenReady(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.isReady));
  }

  strike(fault: Fault): void {
    switch (fault.kind) {
      case 'KILL_PROCESS': {
        const member = this.#members[fault.process];
        const child = member?.child;
        void child?.kill().then(() => {
          // If two faults hit a dying process, it is replaced once; a second replacement would leak.
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

  /** Cancels pending Redis faults; resolves when the current one has ended. */
  spareRedis(): Promise<void> {
    this.#isRedisSpared = true;
    return this.#redisWork;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    // A fault of Redis that failed was reported by spareRedis; the processes end all the same.
    await this.#redisWork.catch(() => {});
    await Promise.all(this.#members.map(({ child }) => child.kill()));
  }

  /** Faults run one after another, so each restores Redis before the next. */
  #queueRedis(work: () => Promise<void>): void {
    this.#redisWork = this.#redisWork.then(() => (this.#isRedisSpared ? undefined : work()));
    // Reported to the caller that awaits it.
    this.#redisWork.catch(() => {});
  }

  #start(): TypeScriptChild {
    return forkTypeScript(new URL('./gateway-process.ts', import.meta.url), [
      this.#flow,
      JSON.stringify(this.#stores),
    ]);
  }
}

/** One process and its pending calls. */
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

  /** Resolves when the process is ready; keeps reading its output until it ends. */
  #listen(child: TypeScriptChild): Promise<void> {
    return new Promise((resolve) => {
      const read = async () => {
        for (;;) {
          const { id, answered } = (await child.nextLine()) as ChaosReply;
          if (id === 0) resolve();
          this.#waiting.get(id)?.(answered);
        }
      };
      read().catch(() => resolve());
    });
  }
}
