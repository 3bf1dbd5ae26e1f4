import { useState } from 'preact/hooks';
import { DataTable } from '../../parts/data-table.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { useAnswer } from '../../session/use-answer.js';
import type { LedgerConditions } from './ledger-filter.js';
import { addressOf, type LedgerRow, NumberStatusTag } from './number-words.js';

const PAGE = 50;

/** How far the reader has turned the pages of what was asked for. */
interface Turned {
  readonly asked: string;
  /** Where each page begins, up to the one that is wanted. */
  readonly starts: readonly (string | undefined)[];
}

const FIRST_PAGE: Turned['starts'] = [undefined];

interface LedgerListProps {
  readonly conditions: LedgerConditions;
  /** Another value reads the page again. */
  readonly revision: number;
}

/** A page of the ledger at a time, so that its length costs nothing. */
export function LedgerList({ conditions, revision }: LedgerListProps) {
  const asked = JSON.stringify(conditions);
  const [turned, setTurned] = useState<Turned>({ asked, starts: FIRST_PAGE });
  // Whatever else is asked for begins with its first page, also what was asked for before.
  if (turned.asked !== asked) setTurned({ asked, starts: FIRST_PAGE });
  const starts = turned.asked === asked ? turned.starts : FIRST_PAGE;
  const page = useAnswer(
    async (client) => {
      const after = starts.at(-1) ?? null;
      return { starts, ...(await client.documentNumbers({ first: PAGE, after, filter: conditions })) };
    },
    [asked, starts.length, starts.at(-1), revision],
  );
  // All of it belongs to the page that is shown, also while another one is asked for.
  const { value } = page;
  const shown = value?.starts ?? FIRST_PAGE;
  const end = value?.pageInfo.hasNextPage ? value.pageInfo.endCursor : null;
  const from = (shown.length - 1) * PAGE;
  const turn = (to: Turned['starts']): void => setTurned({ asked, starts: to });
  return (
    <section class="panel stack tight">
      <Failure error={page.error} onRetry={page.reload} />
      {value && (
        <>
          <LedgerTable rows={value.edges.map(({ node }) => node)} projectCode={conditions.projectCode} />
          <div class="row">
            <button type="button" disabled={shown.length === 1} onClick={() => turn(shown.slice(0, -1))}>
              Page before
            </button>
            <button type="button" disabled={end === null} onClick={() => turn([...shown, end ?? undefined])}>
              Next page
            </button>
            <span class="quiet small" role="status">
              {value.edges.length > 0 && `Rows ${from + 1} to ${from + value.edges.length}`}
            </span>
          </div>
        </>
      )}
    </section>
  );
}

interface LedgerTableProps {
  readonly rows: readonly LedgerRow[];
  readonly projectCode: string | undefined;
}

function LedgerTable({ rows, projectCode }: LedgerTableProps) {
  return (
    <DataTable
      caption="Numbers of the ledger"
      columns={[
        {
          title: 'Number',
          cell: ({ number }: LedgerRow) => (
            <a
              class="mono"
              href={
                projectCode === undefined
                  ? `/ledger/${encodeURIComponent(number)}`
                  : addressOf(number, projectCode)
              }
            >
              {number}
            </a>
          ),
        },
        { title: 'Sequence', cell: ({ sequence }) => sequence, isNumber: true },
        { title: 'Status', cell: ({ status }) => <NumberStatusTag status={status} /> },
        { title: 'Date', cell: ({ date }) => <time dateTime={date}>{date}</time> },
        { title: 'Issued', cell: ({ issuedAt }) => <Moment iso={issuedAt} /> },
        { title: 'Reason', cell: ({ reason }) => reason ?? '' },
      ]}
      rows={rows}
      keyOf={({ number, typeCode, period, sequence }) => `${number} ${typeCode} ${period} ${sequence}`}
      empty="No number meets these conditions. Issue some on the load view, or choose fewer conditions."
    />
  );
}
