import { checkText, checkWhole } from '../contract/check-request.js';
import { FormatInUseError, InvalidRequestError, UnknownSeriesError } from '../contract/numbering-error.js';
import type { WithdrawFormatRequest } from '../contract/series.js';
import { appendEvents } from '../sql/append-event.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { lockSpaceSeries } from './space-formats.js';

/** The counters stay locked, so that nobody prints by it meanwhile. */
const LOCK_COUNTERS = 'SELECT FROM document_number_counters WHERE series_id = $1 ORDER BY id FOR UPDATE';

const IS_USED = `
SELECT EXISTS (
  SELECT FROM document_numbers n JOIN document_number_counters c ON c.id = n.counter_id
  WHERE c.series_id = $1 AND n.format_version = $2
) AS used`;

const WITHDRAW = `
UPDATE document_number_formats SET withdrawn_at = clock_timestamp()
WHERE series_id = $1 AND version = $2 AND withdrawn_at IS NULL`;

const RAISE_REVISION = 'UPDATE document_number_series SET revision = revision + 1 WHERE id = $1';

/** Takes a version back that has printed nothing. Repeating it does nothing. @throws FormatInUseError */
export async function withdrawFormat(call: DatabaseCall, request: WithdrawFormatRequest): Promise<void> {
  const space = checkText('space', request.space, 100);
  const code = checkText('series', request.series, 50);
  const actor = checkText('actor', request.actor, 200);
  const version = checkWhole('version', request.version, [1, 2_147_483_647]);
  await call.transaction(async (session) => {
    const series = (await lockSpaceSeries(session, space)).find((one) => one.series === code);
    if (!series) throw new UnknownSeriesError(space, code);
    await session.query({ text: LOCK_COUNTERS, values: [series.id] });
    const { rows } = await session.query({ text: IS_USED, values: [series.id, version] });
    if ((rows[0] as { used: boolean }).used) throw new FormatInUseError(space, code, version);
    const { rowCount } = await session.query({ text: WITHDRAW, values: [series.id, version] });
    if (rowCount === 0) {
      const known = 'SELECT FROM document_number_formats WHERE series_id = $1 AND version = $2';
      const found = await session.query({ text: known, values: [series.id, version] });
      if (found.rowCount === 0)
        throw new InvalidRequestError('version', `the series has no format ${version}`);
      return;
    }
    await session.query({ text: RAISE_REVISION, values: [series.id] });
    await appendEvents(session, [
      { type: 'format_withdrawn', space, actor, facts: { series: code, version } },
    ]);
  });
}
