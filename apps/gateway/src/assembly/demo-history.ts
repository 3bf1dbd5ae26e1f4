import type { IssueRequest } from '@solegate/doc-numbering';
import type { RedisConnection } from '@solegate/redis-infra';
import { leaseNode, type NodeLease } from '@solegate/tsid-core/node-lease';
import type { Logger } from 'pino';
import { ensureDemoSeries } from '../breaking/demo-series.js';
import type { Services } from './services.js';

/*
 * Demo data for the console: a second project with a thousand numbers, some of them voided or cancelled, trips in every
 * state, and a simulated fleet of processes. It is created once, in the background, after the gateway starts to listen;
 * only the fleet, which exists in Redis, is created at each start. Nothing waits for it, and failures are only logged.
 */

const PROJECT = { code: 'HARBOUR', name: 'Harbour extension' };
const SERIES = [
  { series: 'RFA', template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:4}' },
  { series: 'RFI', template: '{PROJECT}-{TYPE}-{ORG}-{DISCIPLINE}-{YY}-{SEQ:3}' },
  { series: 'MEMO', template: '{TYPE}/{ORG}/{DISCIPLINE}/{YEAR}/{SEQ:5}' },
] as const;

/** Numbers per counter: 1,026 in total, with one counter close to the limit of its width. */
const COUNTERS = [
  { series: 'RFI', org: 'CON', discipline: 'MEP', numbers: 871 },
  { series: 'RFA', org: 'CON', discipline: 'STR', numbers: 64 },
  { series: 'RFA', org: 'OWN', discipline: 'ARC', numbers: 40 },
  { series: 'MEMO', org: 'TEAM', discipline: 'ARC', numbers: 33 },
  { series: 'MEMO', org: 'OWN', discipline: 'STR', numbers: 18 },
] as const;

const VOIDED = [3, 17, 29] as const;
const REASONS = [
  'drawn for the wrong discipline',
  'the request was withdrawn',
  'issued twice by mistake',
] as const;

/** The simulated fleet: the number of processes of each kind. */
const FLEET = [
  { kind: 'api', count: 9 },
  { kind: 'worker', count: 8 },
  { kind: 'import', count: 4 },
] as const;

const RIDER_ID = 4n;
const TRIPS = ['COMPLETED', 'COMPLETED', 'IN_PROGRESS', 'REDISPATCHED', 'CANCELLED', 'FINDING'] as const;

export interface DemoHistoryParts {
  readonly services: Services;
  readonly redis: RedisConnection;
  readonly logger: Logger;
}

/** Creates the demo data described above; `stop` releases the nodes of the fleet. */
export class DemoHistory {
  readonly #fleet: NodeLease[] = [];
  #work: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(private readonly parts: DemoHistoryParts) {}

  start(): void {
    this.#work = this.#make().catch((error: unknown) => {
      this.parts.logger.warn({ err: error }, 'the demo history is incomplete');
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#work;
    await Promise.all(this.#fleet.map((lease) => lease.release()));
  }

  async #make(): Promise<void> {
    const { data } = this.parts.services;
    await this.#leaseFleet();
    const project = await data.projects.ensure(PROJECT);
    await this.#makeNumbers(String(project.id));
  }

  async #leaseFleet(): Promise<void> {
    for (const { kind, count } of FLEET) {
      for (let index = 1; index <= count && !this.#isStopping; index += 1) {
        const lease = await leaseNode({
          redis: this.parts.redis,
          holder: `demo-${kind}-${index}:1`,
          trustEmptyStore: true,
        });
        this.#fleet.push(lease);
      }
    }
  }

  /** Creates only the parts that are missing, so an interrupted run continues at the next start. */
  async #makeNumbers(space: string): Promise<void> {
    const { numbering } = this.parts.services;
    for (const series of SERIES) await ensureDemoSeries(numbering, { space, ...series });
    for (const counter of COUNTERS) {
      if (this.#isStopping) return;
      const { series, org: ORG, discipline: DISCIPLINE } = counter;
      const made = await numbering.listCounters({ space, series, dimensions: { ORG, DISCIPLINE } });
      if (made.items.length === 0) await this.#fill(space, counter);
    }
    const { trips } = await this.parts.services.trips.listTrips({ riderId: RIDER_ID, first: 1 });
    if (trips.length === 0) await this.#makeTrips();
  }

  async #fill(space: string, { series, org, discipline, numbers }: (typeof COUNTERS)[number]): Promise<void> {
    const { numbering } = this.parts.services;
    const request: IssueRequest = {
      space,
      series,
      dimensions: { ORG: org, DISCIPLINE: discipline },
      fields: { PROJECT: PROJECT.code },
      actor: '2',
    };
    const issued = await numbering.issueMany(request, numbers);
    for (const [index, sequence] of VOIDED.entries()) {
      const number = issued[sequence]?.number;
      const reason = REASONS[index];
      if (number === undefined || reason === undefined) continue;
      if (index === 0)
        await numbering.voidAndReplace({ space, number, reason, actor: '3', replacement: request });
      else await numbering.void({ space, number, reason, actor: '3' });
    }
    const held = await numbering.reserve({ ...request, actor: '4' });
    await numbering.cancel({ token: held.token, reason: 'not needed after all', actor: '4' });
    const kept = await numbering.reserve({ ...request, actor: '5' });
    await numbering.confirm({ token: kept.token, actor: '5' });
  }

  async #makeTrips(): Promise<void> {
    const { trips, node } = this.parts.services;
    for (const [index, goal] of TRIPS.entries()) {
      if (this.#isStopping) return;
      const tripId = node.mint();
      const riderId = RIDER_ID;
      const offerTtlMs = goal === 'FINDING' ? 3_600_000 : 60_000;
      await trips.requestTrip({ tripId, riderId, offerTtlMs });
      if (goal === 'FINDING') continue;
      const drivers = Array.from({ length: 5 }, (_, place) => BigInt(1_000 + index * 10 + place));
      const answers = await Promise.all(
        drivers.map(async (driverId) => ({
          driverId,
          outcome: await trips.acceptTrip({ tripId, driverId, offerEpoch: 1 }),
        })),
      );
      const winner = answers.find(({ outcome }) => outcome.kind === 'ACCEPTED')?.driverId;
      if (winner === undefined) continue;
      if (goal === 'CANCELLED') await trips.cancelTrip({ tripId, riderId });
      else if (goal === 'REDISPATCHED') await trips.cancelTrip({ tripId, driverId: winner });
      else {
        await trips.startTrip({ tripId, driverId: winner });
        if (goal === 'COMPLETED') await trips.completeTrip({ tripId, driverId: winner });
      }
    }
  }
}
