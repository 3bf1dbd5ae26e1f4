import type { Ending, NumberAnswer, Questions } from '../history/history.js';
import type { CallerParts } from './caller-parts.js';
import { IMPORTED, importedNumber, type Series } from './places.js';
import { RefusedOutcome } from './recorder.js';

/** Numbers of a batch. */
const BATCH_COUNT = 5;
/** Rows of an import. */
const IMPORT_COUNT = 3;
/** Numbers that are kept for corrections. */
const KEPT_MAX = 200;

interface Issued {
  readonly key: string;
  readonly series: Series;
  readonly number: string;
}

/** Requests numbers in every way in which frontends do. */
export class NumberCallers {
  readonly #kept: Issued[] = [];
  #keyCount = 0;
  #importedCount = 0;

  constructor(private readonly parts: CallerParts) {}

  /** Requests one number. */
  async issueNext(): Promise<string | undefined> {
    return this.#issue(this.#newKey('issue'), this.#anySeries());
  }

  /** Requests a batch, a reservation, a document, a correction of an earlier number, or somebody else's number. */
  async askNext(): Promise<void> {
    const ways = [this.#batch, this.#reserve, this.#document, this.#void, this.#replace, this.#borrowKept];
    await this.parts.dice.pick(ways).call(this);
  }

  /** Imports the next rows of a series; those of an import without an answer are repeated first. */
  async importNext(): Promise<void> {
    const from = this.#importedCount + 1;
    const date = new Date().toISOString().slice(0, 10);
    const sequences = Array.from({ length: IMPORT_COUNT }, (_, index) => from + index);
    const numbers = sequences.map((sequence) => importedNumber(sequence, date));
    const { projectCode, ...codes } = IMPORTED;
    const rows = sequences.map((sequence) => ({ ...codes, date, sequence }));
    const ending = await this.parts.recorder.record('import', { numbers }, async () => {
      const admin = this.parts.frontends.patient('admin-1');
      const report = await admin.importDocumentNumbers({ input: { projectCode, rows } });
      return report.imported;
    });
    if (ending.kind === 'answered') this.#importedCount += IMPORT_COUNT;
  }

  /** Issues a number of each series and voids it. Returns what followers of the series must receive. */
  async voidLast(series: readonly Series[]): Promise<{ readonly kind: string; readonly number: string }[]> {
    const issued = await Promise.all(series.map((one) => this.#issue(this.#newKey('last'), one)));
    const facts = series.map(async ({ projectCode }, index) => {
      const number = issued[index];
      if (number === undefined) return [];
      const input = { projectCode, number, reason: 'the last one' };
      const voided = await this.#correct('void', number, () => this.#admin.voidDocumentNumber({ input }));
      const kinds = voided.kind === 'answered' ? ['ISSUED', 'VOIDED'] : ['ISSUED'];
      return kinds.map((kind) => ({ kind, number }));
    });
    return (await Promise.all(facts)).flat();
  }

  get #admin() {
    return this.parts.frontends.of('admin-1');
  }

  get #clerk() {
    return this.parts.frontends.of('clerk-1');
  }

  #newKey(way: string): string {
    this.#keyCount += 1;
    return `${way}-${this.#keyCount}`;
  }

  #anySeries(): Series {
    return this.parts.dice.pick(this.parts.places.flatMap(({ series }) => series));
  }

  /** Requests numbers under a key, and keeps the request until it is answered. */
  #ask(
    asks: Questions['numbers']['asks'],
    call: (retry: { readonly idempotencyKey: string }) => Promise<NumberAnswer[]>,
  ): Promise<readonly NumberAnswer[] | undefined> {
    const { recorder, open } = this.parts;
    return open.ask(asks.key, () =>
      recorder.record('numbers', asks, () => call({ idempotencyKey: asks.key })),
    );
  }

  #correct(
    step: Questions['correction']['asks']['step'],
    number: string,
    call: () => Promise<NumberAnswer>,
  ): Promise<Ending<NumberAnswer>> {
    return this.parts.recorder.record('correction', { step, number }, async () => answerOf(await call()));
  }

  async #issue(key: string, series: Series): Promise<string | undefined> {
    const [issued] =
      (await this.#ask({ way: 'issue', key, count: 1 }, async (retry) => {
        const issued = await this.#clerk.issueDocumentNumber({ input: series }, retry);
        return [answerOf(wanted(issued, 'DocumentNumber'))];
      })) ?? [];
    if (issued !== undefined && issued.status === 'ISSUED' && this.#kept.length < KEPT_MAX) {
      this.#kept.push({ key, series, number: issued.number });
    }
    return issued?.number;
  }

  async #batch(): Promise<void> {
    const key = this.#newKey('batch');
    const input = { ...this.#anySeries(), count: BATCH_COUNT };
    await this.#ask({ way: 'batch', key, count: BATCH_COUNT }, async (retry) => {
      const issued = await this.#clerk.issueDocumentNumbers({ input }, retry);
      return wanted(issued, 'DocumentNumbersIssued').documentNumbers.map(answerOf);
    });
  }

  /** Most reservations are confirmed or cancelled; some are left to expire. */
  async #reserve(): Promise<void> {
    const key = this.#newKey('reserve');
    const input = this.#anySeries();
    let token: string | undefined;
    const answer = await this.#ask({ way: 'reserve', key, count: 1 }, async (retry) => {
      const reserved = await this.#clerk.reserveDocumentNumber({ input }, retry);
      const reservation = wanted(reserved, 'DocumentNumberReservation');
      token = reservation.token;
      return [answerOf(reservation.documentNumber)];
    });
    const [held] = answer ?? [];
    if (token === undefined || held === undefined || this.parts.dice.happens(0.2)) return;
    if (this.parts.dice.happens(0.3))
      await this.#borrow({ key, series: input, number: held.number }, 'reserve');
    const step = this.parts.dice.happens(0.5) ? 'confirm' : 'cancel';
    const reservation = { token };
    await this.parts.open.ask(`${step} ${key}`, () =>
      this.#correct(step, held.number, () =>
        step === 'confirm'
          ? this.#clerk.confirmDocumentNumber({ input: reservation })
          : this.#clerk.cancelDocumentNumber({ input: { ...reservation, reason: 'not needed' } }),
      ),
    );
  }

  async #borrowKept(): Promise<void> {
    const [issued] = this.#kept;
    if (issued !== undefined) await this.#borrow(issued, 'issue');
  }

  /** Another clerk sends the same request with the same key. */
  async #borrow({ key, series, number }: Issued, way: 'issue' | 'reserve'): Promise<void> {
    const other = this.parts.frontends.of('clerk-2');
    const request = [{ input: series }, { idempotencyKey: key }] as const;
    await this.parts.recorder.record('borrowing', { key, number }, async () => {
      const given = await (way === 'issue'
        ? other.issueDocumentNumber(...request)
        : other.reserveDocumentNumber(...request));
      const got = given.__typename === 'DocumentNumberReservation' ? given.documentNumber : given;
      return { kind: given.__typename, ...('number' in got && { number: got.number }) };
    });
  }

  async #document(): Promise<void> {
    const key = this.#newKey('document');
    const input = { ...this.#anySeries(), subject: `Subject of ${key}` };
    await this.#ask({ way: 'document', key, count: 1 }, async (retry) => {
      const created = await this.#clerk.createCorrespondence({ input }, retry);
      const { id, documentNumber } = wanted(created, 'Correspondence');
      return [{ number: documentNumber, documentId: id }];
    });
  }

  /** Voids an earlier number, and repeats its request, which must report the void. */
  async #void(): Promise<void> {
    const issued = this.#kept.shift();
    if (issued === undefined) return;
    const { number, key, series } = issued;
    const input = { projectCode: series.projectCode, number, reason: 'typed twice' };
    const voided = await this.parts.open.ask(`void ${key}`, () =>
      this.#correct('void', number, () => this.#admin.voidDocumentNumber({ input })),
    );
    if (voided !== undefined) await this.#issue(key, series);
  }

  async #replace(): Promise<void> {
    const issued = this.#kept.shift();
    if (issued === undefined) return;
    const { number, series } = issued;
    const key = this.#newKey('replacement');
    const input = { number, reason: 'wrong discipline', replacement: series };
    let voided: NumberAnswer | undefined;
    const answer = await this.#ask({ way: 'replacement', key, count: 1 }, async (retry) => {
      const done = await this.#admin.replaceDocumentNumber({ input }, retry);
      const replaced = wanted(done, 'DocumentNumberReplaced');
      voided = answerOf(replaced.voided);
      return [answerOf(replaced.replacement)];
    });
    const [replacement] = answer ?? [];
    if (voided === undefined || replacement === undefined) return;
    const correction = { ...voided, replacedBy: replacement.number };
    await this.parts.recorder.record('correction', { step: 'replace', number }, async () => correction);
  }
}

function answerOf({ number, sequence, status }: NumberAnswer): NumberAnswer & { readonly status: string } {
  return { number, sequence: Number(sequence), status: String(status) };
}

/** @throws RefusedOutcome for any other outcome */
function wanted<Result extends { readonly __typename: string }, Name extends Result['__typename']>(
  result: Result,
  name: Name,
): Extract<Result, { readonly __typename: Name }> {
  if (result.__typename !== name) throw new RefusedOutcome(result.__typename);
  return result as Extract<Result, { readonly __typename: Name }>;
}
