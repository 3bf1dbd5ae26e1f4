import { setTimeout as pause } from 'node:timers/promises';
import { Dice, type RedisTestServer, startRedisServer, until } from '@solegate/testkit';
import { Callers } from '../callers/callers.js';
import { Frontends } from '../callers/frontends.js';
import { Recorder } from '../callers/recorder.js';
import type { RuleName, Violation } from '../history/check.js';
import type { Call } from '../history/history.js';
import { judge } from '../run/judge.js';
import { GatewayProcess } from '../system/gateway-process.js';
import { type Pace, PatroniCluster } from './cluster.js';
import { findLoss, type Loss, recordLosses, typeOf } from './losses.js';
import type { Member } from './member.js';
import { createRoles } from './roles.js';

/** Faults of the primary's machine. */
export const MACHINE_FAULTS = {
  killed: { begin: (member: Member) => member.kill(), end: (member: Member) => member.start() },
  frozen: { begin: (member: Member) => member.freeze(), end: (member: Member) => member.thaw() },
  'cut off': { begin: (member: Member) => member.cutOff(), end: (member: Member) => member.reconnect() },
} as const;

export type MachineFault = keyof typeof MACHINE_FAULTS;

export interface FailoverOptions {
  readonly synchronous: boolean;
  readonly faults: readonly MachineFault[];
  /** How often to repeat each fault. */
  readonly times: number;
  readonly pace: Pace;
  readonly print: (line: string) => void;
}

/** How long standbys are cut off before an asynchronous primary is lost, as on a slow network. */
const LAG_MS = 300;
const CALM_MS = 1500;
/** What holds even after a failover to an asynchronous standby: whatever compares answers with the stores does not. */
const HOLDS_AFTER_LOSS: ReadonlySet<RuleName> = new Set<RuleName>([
  'a duplicate ID',
  'IDs out of order',
  'missing IDs',
  'a hole in the ledger',
  'a number beyond its counter',
  'one number, two rows',
  'half a batch',
  'a document without its number',
  'a driver on two trips',
  'a reservation that disagrees with its trip',
  'a change without its event',
  'an event that was not published',
  'a call that did not end',
  'an internal error',
]);

/** Runs one failover after the other under load. Returns the exit code. */
export async function drillFailover(options: FailoverOptions): Promise<number> {
  const { synchronous, faults, times, pace, print } = options;
  await using cluster = await PatroniCluster.start(synchronous, pace, print);
  await using redis = await startRedisServer();
  const { gateways, administrator } = await createRoles(cluster.databaseUrl);
  const place = { databaseUrl: gateways, redisUrl: redis.url, command: ['serve'] };
  await using first = await GatewayProcess.start(place);
  await using second = await GatewayProcess.start(place);
  await using frontends = new Frontends([first.url, second.url]);
  const recorder = new Recorder();
  const callers = new Callers(frontends, recorder, new Dice(1));
  const drill = new Failovers(
    cluster,
    { databaseUrl: administrator, redis, gateways: [first, second], frontends, recorder },
    synchronous,
  );
  const ending = new AbortController();
  // Losses are recorded for the series of issued numbers only.
  const calling = callers.run(ending.signal, ['imports']);
  for (const fault of faults) {
    const seconds: number[] = [];
    for (let time = 1; time <= times; time += 1) {
      const gap = await drill.failOver(fault);
      seconds.push(gap);
      print(`${fault}, ${time} of ${times}: ${gap.toFixed(1)} s without a number`);
    }
    seconds.sort((one, other) => one - other);
    const median = seconds[Math.floor(seconds.length / 2)] ?? 0;
    print(`${fault}: median ${median.toFixed(1)} s, longest ${(seconds.at(-1) ?? 0).toFixed(1)} s`);
  }
  ending.abort();
  await calling;
  const { calls } = recorder;
  const violations = await judge(callers, calls, [administrator]);
  const answered = calls.filter(({ ending }) => ending.kind === 'answered');
  print(`${answered.length} of ${calls.length} calls were answered`);
  return report(violations, drill, options);
}

interface Load {
  /** Of an administrator. */
  readonly databaseUrl: string;
  readonly redis: RedisTestServer;
  readonly gateways: readonly GatewayProcess[];
  readonly frontends: Frontends;
  readonly recorder: Recorder;
}

/** Takes primaries down and records the losses. */
class Failovers {
  readonly losses: Loss[] = [];
  /** Numbers below the mark whose loss was not reported by their counter. */
  readonly unreported: string[] = [];

  constructor(
    private readonly cluster: PatroniCluster,
    private readonly load: Load,
    private readonly isSynchronous: boolean,
  ) {}

  /** Fails over once. Returns the longest time without a number, in seconds. */
  async failOver(fault: MachineFault): Promise<number> {
    await pause(CALM_MS);
    const former = await this.cluster.untilPrimary();
    const stopWatch = watchNumbers(this.load.recorder);
    if (this.isSynchronous) await this.#surely(former, fault);
    else await this.#withLoss(former, fault);
    const gapMs = stopWatch();
    await MACHINE_FAULTS[fault].end(former);
    former.proxies.peers.set('pass');
    await this.cluster.untilWhole(this.isSynchronous);
    return gapMs / 1000;
  }

  async #surely(former: Member, fault: MachineFault): Promise<void> {
    await MACHINE_FAULTS[fault].begin(former);
    await this.cluster.untilPrimary(former);
    await this.#untilIssuing();
  }

  /** Makes the standbys lag and kills the gateways with the primary. Numbers not yet marked in Redis are `unmarked`. */
  async #withLoss(former: Member, fault: MachineFault): Promise<void> {
    const { databaseUrl, gateways, recorder, redis, frontends } = this.load;
    former.proxies.peers.set('blackHole');
    await pause(LAG_MS);
    await Promise.all([
      MACHINE_FAULTS[fault].begin(former),
      ...gateways.map((gateway) => gateway.end('SIGKILL')),
    ]);
    await this.cluster.untilPrimary(former);
    const loss = await until(() => findLoss(recorder.calls, databaseUrl, redis), {
      timeoutMs: 30_000,
      what: 'HAProxy leads to the new primary',
    });
    // Losses of earlier failovers are already recorded.
    const known = new Set(this.losses.flatMap(({ marked, unmarked }) => [...marked, ...unmarked]));
    const marked = loss.marked.filter((number) => !known.has(number));
    const unmarked = loss.unmarked.filter((number) => !known.has(number));
    this.losses.push({ marked, unmarked });
    await Promise.all(gateways.map((gateway) => gateway.start()));
    const reported = new Set(await recordLosses(frontends.of('admin-1')));
    this.unreported.push(...marked.filter((number) => !reported.has(typeOf(number))));
    await this.#untilIssuing();
  }

  async #untilIssuing(): Promise<void> {
    const { calls } = this.load.recorder;
    const from = calls.length;
    const isIssuing = async () => calls.slice(from).filter(isNumber).length > 10;
    const waiting = { timeoutMs: 60_000, intervalMs: 50, what: 'numbers are issued again' };
    await this.cluster.explained(until(isIssuing, waiting));
  }
}

function isNumber({ asked, ending }: Call): boolean {
  return asked === 'numbers' && ending.kind === 'answered';
}

/** @returns a function that ends the watch and returns the longest time between two numbers, in milliseconds */
function watchNumbers({ calls }: Recorder): () => number {
  let seen = calls.length;
  let lastMs = performance.now();
  let longestMs = 0;
  const look = (): void => {
    const isNew = calls.slice(seen).some(isNumber);
    seen = calls.length;
    const nowMs = performance.now();
    longestMs = Math.max(longestMs, nowMs - lastMs);
    if (isNew) lastMs = nowMs;
  };
  const timer = setInterval(look, 10);
  return () => {
    clearInterval(timer);
    look();
    return longestMs;
  };
}

/** Prints the losses and the broken promises. Returns the exit code. */
function report(
  violations: readonly Violation[],
  { losses, unreported }: Failovers,
  { synchronous, print }: FailoverOptions,
): number {
  const marked = losses.flatMap((loss) => loss.marked);
  const broken = violations.filter(({ rule, witness }) => {
    if (synchronous || HOLDS_AFTER_LOSS.has(rule)) return true;
    const isReissue = rule === 'a duplicate number' || rule === 'a voided number issued again';
    return isReissue && marked.some((number) => witness.startsWith(`${number}:`));
  });
  print(`${broken.length} promises broken`);
  for (const { rule, witness } of broken.slice(0, 10)) print(`  ${rule}: ${witness}`);
  if (synchronous) return broken.length === 0 ? 0 : 1;
  const ofRule = (name: RuleName): number => violations.filter(({ rule }) => rule === name).length;
  print(
    `numbers lost below a mark: ${marked.length}, of which ${unreported.length} were not reported; ` +
      `above it, per failover: ${losses.map((loss) => loss.unmarked.length).join(' ')}; ` +
      `of these ${ofRule('a duplicate number')} were issued again`,
  );
  print(
    `trips: ${ofRule('a winner who is not stored')} winners lost, ${ofRule('two winners')} of them had a second one`,
  );
  return broken.length + unreported.length === 0 ? 0 : 1;
}
