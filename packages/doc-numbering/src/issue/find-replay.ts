import type { SqlSession } from '@solegate/postgres-infra';
import { checkText, type IssueFacts } from '../contract/checks.js';
import type { IssuedNumber, IssueRequest } from '../contract/requests.js';
import type { DrawnNumbers } from '../draw/draft.js';
import { type ReplayRow, toReplay } from '../draw/draw.js';
import { REPLAY } from '../sql/functions/replay.js';

const SELECT_BY_KEY = `
SELECT json_build_object(${REPLAY}) AS replay, c.dimensions::json AS dimensions, s.code AS series
FROM document_numbers n
JOIN document_number_counters c ON c.id = n.counter_id
JOIN document_number_series s ON s.id = c.series_id
WHERE n.space = $1 AND n.idempotency_key = $2
ORDER BY n.key_part`;

/** Returns the numbers that a key already has, whatever the current rules. */
export async function findReplay(
  session: SqlSession,
  request: IssueRequest,
  facts: IssueFacts,
): Promise<DrawnNumbers | undefined> {
  if (facts.key === undefined) return undefined;
  const space = checkText('space', request.space, 100);
  const result = await session.query({ text: SELECT_BY_KEY, values: [space, facts.key] });
  const rows = result.rows as (Pick<IssuedNumber, 'series' | 'dimensions'> & {
    readonly replay: ReplayRow;
  })[];
  const [first] = rows;
  if (!first) return undefined;
  const { series, dimensions } = first;
  const replays = rows.map(({ replay }) => replay);
  const answer = toReplay(facts, replays, { series: { space, series }, dimensions });
  if (answer.kind === 'FAILED') throw answer.error;
  return answer.drawn;
}
