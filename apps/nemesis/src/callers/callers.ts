import { setTimeout as pause } from 'node:timers/promises';
import type { Tsid } from '@solegate/client';
import type { Dice } from '@solegate/testkit';
import type { Frontends } from './frontends.js';
import type { Recorder } from './recorder.js';

const NUMBER_CALLERS = 8;
const TRIP_CALLERS = 3;
const DRIVERS_A_TRIP = 5;
const DRIVER_COUNT = 60;
/** Pause between two calls of one caller, in milliseconds. */
const PAUSE_MS = { min: 5, max: 60 };
/** Types to number; `RFA` is the contended one. */
const TYPES = ['RFA', 'RFA', 'RFI', 'MEMO'];
/** The template of `DEMO` plus the project, so that two cells never print the same number. */
const TEMPLATE = '{PROJECT}-{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}';

interface Series {
  readonly projectCode: string;
  readonly organizationCode: string;
  readonly typeCode: string;
  readonly disciplineCode: string;
}

const seriesOf = (projectCode: string): Series[] =>
  TYPES.map((typeCode) => ({ projectCode, organizationCode: 'TEAM', typeCode, disciplineCode: 'STR' }));

/** What callers request from one cell. */
interface Place {
  readonly series: readonly Series[];
  readonly region?: string;
}

type Offer = { readonly tripId: Tsid; readonly epoch: number };

/** All callers of a run. */
export class Callers {
  readonly #places: Place[] = [{ series: seriesOf('DEMO') }];
  readonly #openKeys = new Map<string, Series>();
  readonly #openAccepts = new Map<string, Offer & { readonly driverId: string }>();
  #keyCount = 0;

  constructor(
    private readonly frontends: Frontends,
    private readonly recorder: Recorder,
    private readonly dice: Dice,
    private readonly idsACall: number,
  ) {}

  /** Adds another cell to the requests: creates its project and number formats. */
  async addCell({ project, region }: { readonly project: string; readonly region: string }): Promise<void> {
    const admin = this.frontends.of('admin-1');
    await admin.createProject({ input: { code: project, name: 'In the other cell' } });
    for (const typeCode of new Set(TYPES)) {
      await admin.saveDocumentNumberFormat({ input: { projectCode: project, typeCode, template: TEMPLATE } });
    }
    this.#places.push({ series: seriesOf(project), region });
  }

  async run(signal: AbortSignal): Promise<void> {
    const forever = async (once: () => Promise<void>): Promise<void> => {
      while (!signal.aborted) {
        await once();
        await pause(this.dice.between(PAUSE_MS.min, PAUSE_MS.max));
      }
    };
    const crowd = (count: number, once: () => Promise<void>): Promise<void>[] =>
      Array.from({ length: count }, () => forever(once));
    await Promise.all([
      forever(() => this.#mint()),
      ...crowd(NUMBER_CALLERS, () =>
        this.#issue(`key-${this.#keyCount++}`, this.dice.pick(this.#everySeries)),
      ),
      ...crowd(TRIP_CALLERS, () => this.#ride()),
    ]);
  }

  /** Repeats, after recovery, every request without a conclusive answer. */
  async settle(): Promise<void> {
    for (const [key, series] of this.#openKeys) await this.#issue(key, series);
    for (const { driverId, ...offer } of this.#openAccepts.values()) await this.#accept(offer, driverId);
  }

  get #everySeries(): readonly Series[] {
    return this.#places.flatMap(({ series }) => series);
  }

  /** Calls both gateways simultaneously: two processes on one node mint equal IDs only within one millisecond. */
  async #mint(): Promise<void> {
    const mint = () => this.frontends.of('clerk-1').generateTsids({ count: this.idsACall });
    await Promise.all([1, 2].map(() => this.recorder.record({ asked: 'ids' }, mint)));
  }

  async #issue(idempotencyKey: string, series: Series): Promise<void> {
    const ending = await this.recorder.record({ asked: 'number', key: idempotencyKey }, async () => {
      const issued = await this.frontends
        .of('clerk-1')
        .issueDocumentNumber({ input: series }, { idempotencyKey });
      return issued.__typename === 'DocumentNumber' ? issued.number : issued.__typename;
    });
    if (ending.kind === 'answered') this.#openKeys.delete(idempotencyKey);
    else this.#openKeys.set(idempotencyKey, series);
  }

  /** Requests a trip and lets drivers compete for it. Most winners complete it, some cancel it once. */
  async #ride(): Promise<void> {
    const rider = this.frontends.of(`rider-${this.dice.between(1, 1000)}`);
    const { region } = this.#places.length === 1 ? {} : this.dice.pick(this.#places);
    const trip = await rider.requestTrip({ input: region ? { region } : {} }).catch(() => undefined);
    if (trip === undefined) return;
    const first = await this.#race({ tripId: trip.id, epoch: trip.offerEpoch });
    if (first === undefined) return;
    const winner = this.frontends.of(`driver-${first}`);
    const input = { tripId: trip.id };
    if (this.dice.happens(0.3)) {
      const left = await winner.cancelTrip({ input }).catch(() => undefined);
      if (left?.__typename === 'TripRedispatched') {
        await this.#race({ tripId: trip.id, epoch: left.trip.offerEpoch });
      }
      return;
    }
    await winner.startTrip({ input }).catch(() => undefined);
    await winner.completeTrip({ input }).catch(() => undefined);
  }

  /** Returns the driver whose accept succeeded. One more driver asks late, when the offer has ended. */
  async #race(offer: Offer): Promise<string | undefined> {
    const everybody = Array.from({ length: DRIVER_COUNT }, (_, index) => String(index + 1));
    const drivers = this.dice.sample(everybody, DRIVERS_A_TRIP + 1);
    const late = drivers.pop() ?? '';
    const outcomes = await Promise.all(drivers.map((driverId) => this.#accept(offer, driverId)));
    const winner = drivers[outcomes.indexOf('TripAccepted')];
    await this.#accept(offer, late);
    if (winner !== undefined) await this.#accept(offer, winner);
    return winner;
  }

  async #accept(offer: Offer, driverId: string): Promise<string | undefined> {
    const input = { tripId: offer.tripId, offerEpoch: offer.epoch };
    const ending = await this.recorder.record({ asked: 'trip', ...offer, driverId }, async () => {
      const answer = await this.frontends.of(`driver-${driverId}`).acceptTrip({ input });
      return answer.__typename;
    });
    const isDecided = ending.kind === 'answered' && ending.answer !== 'TripUndecided';
    const name = `${offer.tripId}/${offer.epoch}/${driverId}`;
    if (isDecided) this.#openAccepts.delete(name);
    else this.#openAccepts.set(name, { ...offer, driverId });
    return ending.kind === 'answered' ? ending.answer : undefined;
  }
}
