import type {
  ActiveDriver,
  Asked,
  Call,
  Counter,
  History,
  LedgerRow,
  NumberAnswer,
  Questions,
  StoredDocument,
  StoredEvent,
  StoredSeal,
  StoredTrip,
  TripAnswer,
} from '../src/history/history.js';

type Mutable<Value> = { -readonly [Key in keyof Value]: Mutable<Value[Key]> };
/** A history that can be falsified. */
export type Draft = Mutable<History>;

/** A tiny system in memory that keeps every promise, and records its answers as the callers of a run do. */
export class HonestSystem {
  readonly calls: Call[] = [];
  readonly ledger: Mutable<LedgerRow>[] = [];
  readonly counters: Mutable<Counter>[] = [];
  readonly documents: StoredDocument[] = [];
  readonly seals: StoredSeal[] = [];
  readonly trips: Mutable<StoredTrip>[] = [];
  readonly events: StoredEvent[] = [];
  active: ActiveDriver[] = [];
  #nowMs = 0;
  #lastId = 1000n;

  get nowMs(): number {
    return this.#nowMs;
  }

  /** @param nowMs the time in the IDs */
  mint(gateway: number, nowMs: bigint): void {
    const ids = [0n, 1n, 2n].map((sequence) => String((nowMs << 22n) + (BigInt(gateway) << 12n) + sequence));
    this.#record('ids', { count: ids.length, gateway }, ids);
  }

  /** @param isLost whether the answer never arrives */
  draw(way: Questions['numbers']['asks']['way'], key: string, { count = 1, isLost = false } = {}): string {
    let rows = this.ledger.filter((row) => row.key === key);
    if (rows.length === 0) {
      const documentId = way === 'document' ? this.#id() : null;
      rows = this.#append('RFA', count, {
        key,
        status: way === 'reserve' ? 'reserved' : 'issued',
        documentId,
      });
      if (documentId !== null) this.#write(documentId, rows);
    }
    this.#record(
      'numbers',
      { way, key, count },
      rows.map((row) => answerOf(row, way)),
      isLost,
    );
    return rows[0]?.number ?? '';
  }

  /** Stores a document, sealed in the chain of all documents. */
  #write(id: string, rows: readonly LedgerRow[]): void {
    const [{ counter, sequence, number } = { counter: '', sequence: 0, number: '' }] = rows;
    this.documents.push({ id, number });
    const { position = 0, seal = '' } = this.seals.at(-1) ?? {};
    const next = { position: position + 1, previous: seal, seal: `seal ${position + 1}` };
    this.seals.push({ chain: 'issuer', counter, sequence, ...next });
  }

  /** Another person sends the request of a number. */
  borrow(key: string, number: string): void {
    this.#record('borrowing', { key, number }, { kind: 'IdempotencyKeyReused' });
  }

  correct(step: 'void' | 'confirm' | 'cancel', number: string): void {
    const row = this.#row(number);
    row.status = { void: 'void', confirm: 'issued', cancel: 'cancelled' }[step];
    this.#record('correction', { step, number }, answerOf(row));
  }

  replace(number: string, key: string): void {
    const row = this.#row(number);
    row.replacedBy = this.draw('replacement', key);
    row.status = 'void';
    this.#record('correction', { step: 'replace', number }, { ...answerOf(row), replacedBy: row.replacedBy });
  }

  import(count: number): void {
    const rows = this.#append('OLD', count, { key: null, status: 'imported', documentId: null });
    this.#record('import', { numbers: rows.map(({ number }) => number) }, true);
  }

  /** A repeated key returns the same trip. */
  request(
    key: string,
    { offered = null, place, cell = 0 }: { offered?: string[] | null; place?: string; cell?: number } = {},
  ): string {
    let trip = this.trips.find((one) => one.key === key);
    if (trip === undefined) {
      const tripId = this.#id();
      trip = {
        tripId,
        cell,
        riderId: '7',
        key,
        status: 'FINDING',
        epoch: 1,
        revision: 0,
        driverId: null,
        offered,
        excluded: [],
      };
      this.trips.push(trip);
      this.#move(trip, 'TRIP_REQUESTED', {});
    }
    const { tripId, epoch, revision } = trip;
    this.#record('request', { riderId: '7', key, ...(place ? { place } : {}) }, { tripId, epoch, revision });
    return tripId;
  }

  accept(tripId: string, epoch: number, driverId: string): void {
    const answer = this.#answer(this.#trip(tripId), epoch, driverId);
    this.#record('accept', { tripId, epoch, driverId }, answer);
  }

  leave(tripId: string): void {
    const trip = this.#trip(tripId);
    const userId = trip.driverId ?? '';
    trip.excluded.push(userId);
    this.#free(tripId);
    this.#move(trip, 'TRIP_REDISPATCHED', { status: 'FINDING', epoch: trip.epoch + 1, driverId: null });
    this.#record('ride', { step: 'leave', tripId, userId }, { kind: 'TripRedispatched', epoch: trip.epoch });
  }

  start(tripId: string): void {
    const trip = this.#trip(tripId);
    this.#move(trip, 'TRIP_STARTED', { status: 'IN_PROGRESS' });
    const asks = { step: 'start', tripId, userId: trip.driverId ?? '' } as const;
    this.#record('ride', asks, { kind: 'TripStarted', epoch: trip.epoch });
  }

  end(step: 'complete' | 'cancel', tripId: string): void {
    const trip = this.#trip(tripId);
    this.#free(tripId);
    const status = step === 'complete' ? 'COMPLETED' : 'CANCELLED';
    this.#move(trip, `TRIP_${status}`, { status });
    const kind = step === 'complete' ? 'TripCompleted' : 'TripCancelled';
    const userId = step === 'complete' ? (trip.driverId ?? '') : trip.riderId;
    this.#record('ride', { step, tripId, userId }, { kind, epoch: trip.epoch });
  }

  report(driverId: string, place: string): void {
    this.#record('position', { driverId, place }, 30_000);
  }

  updatesOf(tripId: string) {
    const events = this.events.filter((event) => event.tripId === tripId);
    return {
      tripId,
      events: events.map(({ revision, type, status, epoch }) => ({ revision, type, status, epoch })),
    };
  }

  /** Of the contended series: its numbers in their order, then what became of them. */
  facts() {
    const rows = this.ledger.filter(({ counter }) => counter === 'RFA');
    const wasReserved = (key: string | null) =>
      this.calls.some((call) => call.asked === 'numbers' && call.way === 'reserve' && call.key === key);
    const first = rows.map(({ key, ...row }) => ({ kind: wasReserved(key) ? 'RESERVED' : 'ISSUED', ...row }));
    const later = rows.flatMap(({ key, ...row }) => {
      if (row.status === 'void') return [{ kind: 'VOIDED', ...row }];
      if (!wasReserved(key) || row.status === 'reserved') return [];
      return [{ kind: row.status === 'issued' ? 'CONFIRMED' : 'CANCELLED', ...row }];
    });
    const facts = [...first, ...later];
    return facts.map(({ kind, number, counter, sequence }) => ({ kind, number, counter, sequence }));
  }

  #id(): string {
    this.#lastId += 1n;
    return String(this.#lastId);
  }

  #record<Kind extends Asked>(
    asked: Kind,
    asks: Questions[Kind]['asks'],
    answer: Questions[Kind]['answer'],
    isLost = false,
  ): void {
    const failed = { kind: 'failed', code: 'OUTCOME_UNKNOWN', outcomeUnknown: true };
    const ending = isLost ? failed : { kind: 'answered', answer };
    this.calls.push({ ...asks, asked, atMs: this.#nowMs, tookMs: 5, ending } as unknown as Call);
    this.#nowMs += 10;
  }

  #append(counter: string, count: number, parts: Pick<LedgerRow, 'key' | 'status' | 'documentId'>) {
    const at = this.counters.find((one) => one.counter === counter) ?? { counter, last: 0 };
    if (at.last === 0) this.counters.push(at);
    const rows = Array.from({ length: count }, (_, index) => {
      const sequence = at.last + 1 + index;
      return { counter, sequence, number: `${counter}-${sequence}`, replacedBy: null, ...parts };
    });
    at.last += count;
    this.ledger.push(...rows);
    return rows;
  }

  #row(number: string): Mutable<LedgerRow> {
    const row = this.ledger.find((one) => one.number === number);
    if (row === undefined) throw new RangeError(`no number ${number}`);
    return row;
  }

  #trip(tripId: string): Mutable<StoredTrip> {
    const trip = this.trips.find((one) => one.tripId === tripId);
    if (trip === undefined) throw new RangeError(`no trip ${tripId}`);
    return trip;
  }

  #move(trip: Mutable<StoredTrip>, type: string, changes: Partial<StoredTrip>): void {
    Object.assign(trip, changes, { revision: trip.revision + 1 });
    const { tripId, revision, status, epoch, driverId } = trip;
    this.events.push({ tripId, revision, type, status, epoch, driverId, isPublished: true });
  }

  #free(tripId: string): void {
    this.active = this.active.filter((row) => row.tripId !== tripId);
  }

  #answer(trip: Mutable<StoredTrip>, epoch: number, driverId: string): TripAnswer {
    const { tripId, status, offered } = trip;
    const isRival = (other: string) => other !== tripId && this.#trip(other).cell === trip.cell;
    const busy = this.active.find((row) => row.driverId === driverId && isRival(row.tripId));
    if (status === 'COMPLETED' || status === 'CANCELLED') return { kind: 'TripNotOpen', status };
    if (epoch < trip.epoch) return { kind: 'StaleOffer', epoch: trip.epoch };
    if (trip.driverId !== null) return { kind: trip.driverId === driverId ? 'TripAccepted' : 'TripTaken' };
    if (offered !== null && !offered.includes(driverId)) return { kind: 'NotOffered' };
    if (busy !== undefined) return { kind: 'DriverBusy', activeTripId: busy.tripId };
    this.#move(trip, 'TRIP_ACCEPTED', { status: 'ACCEPTED', driverId });
    this.active.push({ driverId, tripId });
    return { kind: 'TripAccepted' };
  }
}

function answerOf(row: LedgerRow, way?: string): NumberAnswer {
  const { number, sequence, status, documentId } = row;
  if (way === 'document') return { number, documentId: documentId ?? '' };
  return { number, sequence, status: status.toUpperCase() };
}
