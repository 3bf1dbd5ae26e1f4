import { checkText } from '../contract/check-request.js';
import type { AcceptedRegression, AcceptRegressionRequest } from '../contract/number-life.js';
import { RedisSilentError } from '../contract/store-error.js';
import type { CounterQueue } from '../draw/counter-queue.js';
import { counterKey, openCounters } from '../draw/open-counters.js';
import type { HighWaterMarks } from '../redis/high-water-marks.js';
import type { RequestResolver } from '../request/request-resolver.js';
import type { CounterAddress } from '../request/resolved-request.js';
import { appendEvents } from '../sql/append-event.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { lockCounterRow } from './record-numbers.js';

export interface AcceptOptions {
  readonly call: DatabaseCall;
  readonly resolver: RequestResolver;
  readonly marks: HighWaterMarks | undefined;
  /** What this process knows of a counter. */
  readonly known: (address: CounterAddress) => CounterQueue;
}

/**
 * Takes a counter as it stands, below numbers that were issued once: after a restore on purpose, when what was issued since
 * then is void. The event comes first; other processes find it when they would refuse. Then Redis forgets its mark, so
 * that only a later loss is a regression again. Repeating it does nothing, or forgets the mark that was left.
 *
 * @throws RedisSilentError: the mark stands, repeat it
 */
export async function acceptRegression(
  request: AcceptRegressionRequest,
  { call, resolver, marks, known }: AcceptOptions,
): Promise<AcceptedRegression> {
  const reason = checkText('reason', request.reason, 1000);
  const actor = checkText('actor', request.actor, 200);
  const resolved = await resolver.resolve(request, { anyPeriod: true });
  const counter = known(resolved);
  const key = counter.lockKey.state;
  const remembered = marks ? await marks.read([key]) : [];
  if (!remembered) throw new RedisSilentError();
  const accepted = await call.transaction(async (session) => {
    const { counters } = await openCounters(session, [resolved]);
    const opened = counters.get(counterKey(resolved));
    const { last } = await lockCounterRow(session, opened?.counterId ?? '');
    const highWaterMark = Math.max(remembered[0]?.last ?? 0, counter.issuedMark);
    if (highWaterMark > last) {
      const { space } = resolved.series;
      const facts = { lastNumber: last, highWaterMark };
      const event = {
        type: 'regression_accepted' as const,
        space,
        counter_id: opened?.counterId ?? '',
        actor,
        reason,
        facts,
      };
      await appendEvents(session, [event]);
    }
    return { lastNumber: last, highWaterMark, version: opened?.position.version ?? 0 };
  });
  const { lastNumber, highWaterMark, version } = accepted;
  if (highWaterMark > lastNumber) {
    counter.forget({ version, last: lastNumber });
    await marks?.forget(key).catch((cause: unknown) => {
      throw new RedisSilentError({ cause });
    });
    counter.rememberedMark = 0;
  }
  return { lastNumber, highWaterMark };
}
