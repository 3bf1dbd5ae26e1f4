import { createInterface } from 'node:readline';
import { connectRedis } from '@solegate/redis-infra';
import { watchedPool } from '@solegate/testkit';
import { Pool } from 'pg';
import { type AcceptOutcome, type AnswerOfferOptions, createTripReservation } from '../../src/index.js';

/** Concurrent accepts; IDs as decimal text. */
export interface Burst {
  readonly calls: readonly { readonly tripId: string; readonly driverId: string }[];
}

export interface BurstReport {
  /** In the order of the calls. */
  readonly answered: readonly string[];
  readonly statementNames: readonly string[];
}

const [databaseUrl = '', redisUrl = ''] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl, max: 5 });
// Long timeout: a busy machine must not look like a Redis outage.
const redis = connectRedis({ url: redisUrl, purpose: 'decision', commandTimeoutMs: 2000 });
let statementNames: string[] = [];
const trips = createTripReservation({
  redis,
  gateTimeoutMs: 2000,
  requestTimeoutMs: 20_000,
  database: watchedPool(pool, (statement, run) => {
    statementNames.push(statement.name ?? '');
    return run();
  }),
});

/** Retries after UNDECIDED, as a client does. */
async function acceptUntilDecided(offer: AnswerOfferOptions): Promise<AcceptOutcome> {
  for (;;) {
    const outcome = await trips.acceptTrip(offer);
    if (outcome.kind !== 'UNDECIDED') return outcome;
    await new Promise((resolve) => setTimeout(resolve, outcome.retryAfterMs));
  }
}

async function burst({ calls }: Burst): Promise<void> {
  statementNames = [];
  const outcomes = await Promise.all(
    calls.map(({ tripId, driverId }) =>
      acceptUntilDecided({ tripId: BigInt(tripId), driverId: BigInt(driverId), offerEpoch: 1 }),
    ),
  );
  const report: BurstReport = { answered: outcomes.map(({ kind }) => kind), statementNames };
  say(report);
}

function say(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

createInterface({ input: process.stdin })
  .on('line', (line) => void burst(JSON.parse(line)))
  .on('close', () => process.exit(0));

redis.once('ready', () => say('READY'));
