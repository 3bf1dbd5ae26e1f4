import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { answerOf } from './demo-caller.js';
import type { LoadReport } from './tally.js';

/*
 * One of several processes that call a demo gateway at random times, as its users would. It reports each answer,
 * judges none, and ends with the gateway.
 */

/** Issue numbers from now on. */
export interface NumbersOrder {
  readonly kind: 'numbers';
  readonly url: string;
  readonly projectCode: string;
  readonly typeCode: string;
  readonly organizationCodes: readonly string[];
  readonly disciplineCodes: readonly string[];
}

/** Let these drivers accept one offer. */
export interface RaceOrder {
  readonly kind: 'race';
  readonly url: string;
  readonly tripId: string;
  readonly offerEpoch: number;
  readonly driverIds: readonly string[];
}

const CALLERS = 5;
/** Longest random pause of a caller between two numbers. */
const PAUSE_MAX_MS = 200;
/** Within this time after the order, each driver presses. */
const PRESS_WITHIN_MS = 30;
const UNDECIDED_MAX = 20;

process.on('disconnect', () => process.exit());
process.on('message', (order: NumbersOrder | RaceOrder) => {
  if (order.kind === 'race') {
    for (const driverId of order.driverIds) void press(order, driverId);
    return;
  }
  for (let caller = 0; caller < CALLERS; caller += 1) void issueForever(order);
});

async function issueForever({
  url,
  organizationCodes,
  disciplineCodes,
  ...series
}: NumbersOrder): Promise<never> {
  for (;;) {
    await pause(Math.random() * PAUSE_MAX_MS);
    const key = randomUUID();
    const input = {
      projectCode: series.projectCode,
      typeCode: series.typeCode,
      organizationCode: oneOf(organizationCodes),
      disciplineCode: oneOf(disciplineCodes),
      idempotencyKey: key,
    };
    const data = await answerOf(url, 'clerk-2', { name: 'IssueDocumentNumber', input });
    const issued = data?.issueDocumentNumber as { readonly number?: string } | undefined;
    report(
      issued?.number === undefined ? { kind: 'failed' } : { kind: 'number', key, number: issued.number },
    );
  }
}

async function press({ url, tripId, offerEpoch }: RaceOrder, driverId: string): Promise<void> {
  await pause(Math.random() * PRESS_WITHIN_MS);
  const user = `driver-${driverId}`;
  const input = { tripId, offerEpoch };
  for (let attempt = 1; attempt <= UNDECIDED_MAX; attempt += 1) {
    const data = await answerOf(url, user, { name: 'AcceptTrip', input });
    if (data === undefined) return report({ kind: 'failed' });
    const answer = data.acceptTrip as { readonly __typename: string; readonly retryAfterMs?: number };
    if (answer.__typename === 'TripUndecided') {
      await pause(answer.retryAfterMs ?? PRESS_WITHIN_MS);
      continue;
    }
    const isWinner = answer.__typename === 'TripAccepted';
    report({ kind: 'press', offer: `${tripId} ${offerEpoch}`, driverId, isWinner });
    if (!isWinner) return;
    // So that the trip is not offered again.
    await answerOf(url, user, { name: 'StartTrip', input: { tripId } });
    await answerOf(url, user, { name: 'CompleteTrip', input: { tripId } });
    return;
  }
  report({ kind: 'failed' });
}

function oneOf(codes: readonly string[]): string | undefined {
  return codes[Math.floor(Math.random() * codes.length)];
}

function report(said: LoadReport): void {
  process.send?.(said);
}
