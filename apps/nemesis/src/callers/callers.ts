import { setTimeout as pause } from 'node:timers/promises';
import type { Dice } from '@solegate/testkit';
import type { Frontends } from './frontends.js';
import { NumberCallers } from './number-callers.js';
import { OpenRequests } from './open-requests.js';
import { type Place, type Series, seriesOf, TYPES } from './places.js';
import type { Recorder } from './recorder.js';
import { Subscribers } from './subscribers.js';
import { TripCallers } from './trip-callers.js';

/** Callers of each kind, and the pause between two calls of one of them, in milliseconds. */
const CROWDS = {
  ids: { count: 1, pauseMs: { min: 200, max: 400 } },
  issues: { count: 6, pauseMs: { min: 5, max: 60 } },
  others: { count: 3, pauseMs: { min: 5, max: 60 } },
  imports: { count: 1, pauseMs: { min: 200, max: 500 } },
  rides: { count: 4, pauseMs: { min: 5, max: 60 } },
  positions: { count: 1, pauseMs: { min: 50, max: 150 } },
} as const;
type Crowd = keyof typeof CROWDS;
/** Two processes on one node mint equal IDs only within one millisecond, which a call of this size fills. */
const IDS_A_CALL = 5000;
const MINT_TIMEOUT_MS = 2500;
/** Trips and numbers that listeners must receive once everything has recovered. */
const CALM_COUNT = 5;
/** The template of `DEMO` plus the project, so that two cells never print the same number. */
const TEMPLATE = '{PROJECT}-{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';

/** All callers of a run. */
export class Callers {
  readonly subscribers: Subscribers;
  readonly #places: Place[] = [{ series: seriesOf('DEMO') }];
  readonly #open = new OpenRequests();
  readonly #numbers: NumberCallers;
  readonly #trips: TripCallers;

  constructor(
    private readonly frontends: Frontends,
    private readonly recorder: Recorder,
    private readonly dice: Dice,
    /** How long after recovery a subscription has to deliver what is due, in milliseconds. Default: 15,000. */
    dueMs?: number,
  ) {
    this.subscribers = new Subscribers(frontends, dueMs);
    const parts = { frontends, recorder, dice, open: this.#open, places: this.#places };
    this.#numbers = new NumberCallers(parts);
    this.#trips = new TripCallers(parts, this.subscribers);
  }

  /** Adds another cell to the requests: creates its project and number formats. */
  async addCell({ project, region }: { readonly project: string; readonly region: string }): Promise<void> {
    const admin = this.frontends.of('admin-1');
    await admin.createProject({ input: { code: project, name: 'In the other cell' } });
    for (const typeCode of new Set(TYPES)) {
      await admin.saveDocumentNumberFormat({ input: { projectCode: project, typeCode, template: TEMPLATE } });
    }
    this.#places.push({ series: seriesOf(project), region });
  }

  async run(signal: AbortSignal, without: readonly Crowd[] = []): Promise<void> {
    for (const series of this.#followed()) this.subscribers.follow(series);
    const crowd = (kind: Crowd, once: () => Promise<unknown>): Promise<void>[] => {
      const { count, pauseMs } = CROWDS[kind];
      if (without.includes(kind)) return [];
      return Array.from({ length: count }, async () => {
        while (!signal.aborted) {
          await once();
          await pause(this.dice.between(pauseMs.min, pauseMs.max));
        }
      });
    };
    await Promise.all([
      ...crowd('ids', () => this.#mint()),
      ...crowd('issues', () => this.#numbers.issueNext()),
      ...crowd('others', () => this.#numbers.askNext()),
      ...crowd('imports', () => this.#numbers.importNext()),
      ...crowd('rides', () => this.#trips.ride()),
      ...crowd('positions', () => this.#trips.reportPosition()),
    ]);
  }

  /** Repeats, after recovery, every request without a conclusive answer, and ends all trips. */
  async settle(): Promise<void> {
    await this.#open.settle();
    await this.#trips.cancelAll();
  }

  /**
   * Connects listeners and requests what they must receive. Resolves with the time from which they were connected, in
   * milliseconds since the process began.
   */
  async calm(): Promise<number> {
    const { subscribers } = this;
    const { received } = subscribers;
    subscribers.listen();
    await subscribers.whenDone(async () => {
      if (received.offers.length > 0 && received.numbers.length > 0) return true;
      await this.#probe();
      return false;
    });
    const calmFromMs = performance.now();
    const probed = { offers: [] as string[], numbers: [] as string[] };
    for (let time = 1; time <= CALM_COUNT; time += 1) {
      const { tripId, number } = await this.#probe();
      if (tripId !== undefined) probed.offers.push(tripId);
      if (number !== undefined) probed.numbers.push(number);
    }
    await subscribers.whenDone(() => subscribers.hasHeard(probed));
    const last = await this.#numbers.voidLast(this.#followed());
    await subscribers.whenDone(() => subscribers.hasFacts(last));
    return calmFromMs;
  }

  /** Each series once. */
  #followed(): Series[] {
    const bySeries = this.#places
      .flatMap(({ series }) => series)
      .map((one) => [`${one.projectCode} ${one.typeCode}`, one]);
    return [...new Map(bySeries as [string, Series][]).values()];
  }

  async #probe(): Promise<{ readonly tripId?: string | undefined; readonly number?: string | undefined }> {
    const [tripId, number] = await Promise.all([this.#trips.probe(), this.#numbers.issueNext()]);
    return { tripId, number };
  }

  /** Calls all gateways simultaneously. One that is down gives up before the next turn is long due. */
  async #mint(): Promise<void> {
    const { frontends, recorder } = this;
    const mint = (gateway: number) =>
      recorder.record('ids', { count: IDS_A_CALL, gateway }, async () => {
        const minter = frontends.at(gateway, 'clerk-1');
        return (await minter.generateTsids({ count: IDS_A_CALL }, { timeoutMs: MINT_TIMEOUT_MS })).ids;
      });
    await Promise.all(Array.from({ length: frontends.gatewayCount }, (_, gateway) => mint(gateway)));
  }
}
