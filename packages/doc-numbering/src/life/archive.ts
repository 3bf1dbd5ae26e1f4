import { checkSeriesRequest } from '../contract/checks.js';
import type { ArchiveReport, ArchiveRequest } from '../contract/series.js';
import { dayAfter, periodOf } from '../format/period.js';
import { lockSeries } from '../series/series-catalog.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { appendEvents } from '../sql/rows.js';

/** Periods of the same kind of reset sort by their texts. */
const ARCHIVE = `
WITH archived AS (
  UPDATE document_number_counters c SET archived_at = clock_timestamp()
  WHERE c.series_id = $1 AND c.period < $2 AND c.archived_at IS NULL
    AND NOT EXISTS (SELECT FROM document_numbers n WHERE n.counter_id = c.id AND n.status = 'reserved')
  RETURNING c.last_number - c.first_number + 1 AS number_count
)
SELECT count(*)::float8 AS "counterCount", coalesce(sum(number_count), 0)::float8 AS "numberCount" FROM archived`;

/** Marks counters of fully closed periods; a trigger moves rows unless there is a hole. @throws UnknownSeriesError */
export async function archivePeriods(call: DatabaseCall, request: ArchiveRequest): Promise<ArchiveReport> {
  const { space, series: code, actor } = checkSeriesRequest(request);
  return call.transaction(async (session) => {
    const { series } = await lockSeries(session, space, code);
    const { closedUntil } = series;
    const before = closedUntil === undefined ? '' : periodOf(dayAfter(closedUntil), series);
    const { rows } = await session.query({ text: ARCHIVE, values: [series.id, before] });
    const report = rows[0] as ArchiveReport;
    const facts = { series: code, before, ...report };
    if (report.counterCount > 0)
      await appendEvents(session, { type: 'numbers_archived', space, actor, facts });
    return report;
  });
}
