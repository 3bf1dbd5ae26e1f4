import type { SqlSession } from '@solegate/postgres-infra';
import type { NumberPreview } from './issue-request.js';
import { ExhaustedError } from './numbering-error.js';
import { counterKey, findCounters } from './open-counters.js';
import type { AddressWithFields, RequestResolver } from './request-resolver.js';
import { counterName } from './resolved-request.js';

/** The next number as it looks now: no lock, nothing taken, nothing promised. @throws NumberingError as issuing would */
export async function previewNumber(
  session: SqlSession,
  request: AddressWithFields,
  resolver: RequestResolver,
): Promise<NumberPreview> {
  const resolved = await resolver.resolve(request);
  const counter = (await findCounters(session, [resolved])).counters.get(counterKey(resolved));
  const sequence = counter ? counter.position.last + 1 : resolved.series.startAt;
  if (sequence > resolved.ceiling) throw new ExhaustedError(counterName(resolved), resolved.ceiling);
  return {
    number: resolved.format.render(resolved.affixes, sequence),
    sequence,
    period: resolved.period,
    formatVersion: resolved.format.facts.version,
    promised: false,
  };
}
