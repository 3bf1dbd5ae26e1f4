import { setTimeout as pause } from 'node:timers/promises';
import { until } from '@solegate/testkit';
import type { RetryingClient } from './retrying-client.js';

/** Requests and their results under constant load on all three guarantees. */
export interface LoadRecord {
  readonly ids: string[];
  /** Number by idempotency key. */
  readonly numbers: Map<string, string>;
  /** Winners by trip. */
  readonly winners: Map<string, Set<string>>;
  /** The driver of each trip according to the trip itself. */
  readonly drivers: Map<string, string | null>;
  /** Requests that failed permanently. */
  readonly failures: unknown[];
}

const driverCount = 10;
/** Pause between two tasks of one loop: gateways that restart during the load need processor time as well. */
const thinkMs = 50;

/** The codes of the series that the load draws from. */
export const SERIES = {
  projectCode: 'FLEET',
  organizationCode: 'TEAM',
  typeCode: 'RFA',
  disciplineCode: 'STR',
} as const;

export const ISSUE = `mutation ($input: IssueDocumentNumberInput!) { issueDocumentNumber(input: $input) { ... on DocumentNumber { number } } }`;

const CREATE = `mutation ($input: CreateCorrespondenceInput!) {
  createCorrespondence(input: $input) { ... on Correspondence { id documentNumber } }
}`;
const REQUEST = `mutation ($input: RequestTripInput!) { requestTrip(input: $input) { ... on Trip { id offerEpoch } } }`;
const ACCEPT = `mutation ($input: AnswerOfferInput!) {
  acceptTrip(input: $input) { __typename ... on TripAccepted { driverId } ... on TripRefusal { tripId } }
}`;

const SAVE_FORMAT = `mutation ($input: SaveDocumentNumberFormatInput!) {
  saveDocumentNumberFormat(input: $input) { ... on DocumentNumberFormat { version } }
}`;

/** Creates the master data for the documents, as an administrator. */
export async function prepareFleet(client: RetryingClient): Promise<void> {
  const admin = await client.tokenFor(1n, ['admin']);
  const create = (mutation: string, code: string) =>
    client.ask(admin, `mutation ($input: CodedRowInput!) { ${mutation}(input: $input) { __typename } }`, {
      input: { code, name: code },
    });
  await create('createProject', SERIES.projectCode);
  await create('createOrganization', SERIES.organizationCode);
  await create('createDiscipline', SERIES.disciplineCode);
  for (const typeCode of [SERIES.typeCode, 'MEMO']) {
    await create('createCorrespondenceType', typeCode);
    await client.ask(admin, SAVE_FORMAT, {
      input: {
        projectCode: SERIES.projectCode,
        typeCode,
        template: '{ORG}-{TYPE}-{DISCIPLINE}-{YEAR}-{SEQ:6}',
      },
    });
  }
}

export interface FleetLoadOptions {
  /** Pause between two tasks of one loop, in milliseconds. Default: 50. */
  readonly thinkMs?: number;
  /** Only what PostgreSQL decides: numbers without documents, and trips with IDs of their callers. Default: false. */
  readonly needsNoNewIds?: boolean;
}

/** Load that runs until it is stopped. */
export class FleetLoad {
  readonly record: LoadRecord = {
    ids: [],
    numbers: new Map(),
    winners: new Map(),
    drivers: new Map(),
    failures: [],
  };
  readonly #client: RetryingClient;
  readonly #options: FleetLoadOptions;
  readonly #loops: Promise<void>[] = [];
  #isStopping = false;
  #serial = 0;

  constructor(client: RetryingClient, options: FleetLoadOptions = {}) {
    this.#client = client;
    this.#options = options;
  }

  start(): void {
    const tasks = [
      ...(this.#options.needsNoNewIds ? [] : [this.#mintIds, this.#mintIds]),
      this.#takeNumber,
      this.#takeNumber,
      this.#takeNumber,
      this.#raceForTrip,
    ];
    for (const task of tasks) this.#loops.push(this.#repeat(task));
  }

  /** Waits until so many more requests are answered, and throws the first that failed permanently as soon as it did. */
  async untilAnswered(count: number): Promise<void> {
    const goal = this.#client.answeredCount + count;
    const goesOn = () => this.#client.answeredCount >= goal || this.record.failures.length > 0;
    await until(goesOn, { timeoutMs: 90_000, what: `${count} more answers` });
    if (this.record.failures.length > 0) throw this.record.failures[0];
  }

  /** Stops the load and waits for requests in progress. */
  async stop(): Promise<LoadRecord> {
    this.#isStopping = true;
    await Promise.all(this.#loops);
    return this.record;
  }

  async #repeat(task: () => Promise<void>): Promise<void> {
    while (!this.#isStopping) {
      try {
        await task();
        await pause(this.#options.thinkMs ?? thinkMs);
      } catch (error) {
        this.record.failures.push(error);
        return;
      }
    }
  }

  readonly #mintIds = async (): Promise<void> => {
    const clerk = await this.#client.tokenFor(2n, ['clerk']);
    const { generateTsids } = await this.#client.ask<{ generateTsids: { ids: string[] } }>(
      clerk,
      'mutation { generateTsids(count: 20) { ... on TsidsGenerated { ids } } }',
    );
    this.record.ids.push(...generateTsids.ids);
  };

  readonly #takeNumber = async (): Promise<void> => {
    const clerk = await this.#client.tokenFor(2n, ['clerk']);
    const idempotencyKey = `document-${this.#next()}`;
    if (this.#options.needsNoNewIds) {
      const input = { ...SERIES, idempotencyKey };
      const { issueDocumentNumber } = await this.#client.ask<{ issueDocumentNumber: { number: string } }>(
        clerk,
        ISSUE,
        { input },
      );
      this.record.numbers.set(idempotencyKey, issueDocumentNumber.number);
      return;
    }
    const { createCorrespondence } = await this.#client.ask<{
      createCorrespondence: { id: string; documentNumber: string };
    }>(clerk, CREATE, { input: { ...SERIES, subject: idempotencyKey, idempotencyKey } });
    this.record.ids.push(createCorrespondence.id);
    this.record.numbers.set(idempotencyKey, createCorrespondence.documentNumber);
  };

  /** A rider requests a trip and ten drivers accept simultaneously; then all of them, and the rider, repeat their requests. */
  readonly #raceForTrip = async (): Promise<void> => {
    const serial = this.#next();
    const rider = await this.#client.tokenFor(BigInt(1_000_000 + serial), ['rider']);
    const { requestTrip } = await this.#client.ask<{ requestTrip: { id: string; offerEpoch: number } }>(
      rider,
      REQUEST,
      {
        input: {
          idempotencyKey: `trip-${serial}`,
          offerTtlMs: 600_000,
          ...(this.#options.needsNoNewIds && { tripId: String(serial) }),
        },
      },
    );
    const input = { tripId: requestTrip.id, offerEpoch: requestTrip.offerEpoch };
    const winners = new Set<string>();
    const accept = async (index: number): Promise<void> => {
      const driver = await this.#client.tokenFor(BigInt(10_000_000 + serial * driverCount + index), [
        'driver',
      ]);
      const { acceptTrip } = await this.#client.ask<{ acceptTrip: { driverId?: string } }>(driver, ACCEPT, {
        input,
      });
      if (acceptTrip.driverId) winners.add(acceptTrip.driverId);
    };
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(Array.from({ length: driverCount }, (_, index) => accept(index)));
    }
    const { trip } = await this.#client.ask<{ trip: { driverId: string | null } }>(
      rider,
      'query ($id: TSID!) { trip(id: $id) { driverId } }',
      { id: requestTrip.id },
    );
    this.record.ids.push(requestTrip.id);
    this.record.winners.set(requestTrip.id, winners);
    this.record.drivers.set(requestTrip.id, trip.driverId);
  };

  #next(): number {
    this.#serial += 1;
    return this.#serial;
  }
}
