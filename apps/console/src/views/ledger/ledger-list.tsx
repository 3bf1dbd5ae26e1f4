import { useEffect, useState } from 'preact/hooks';
import { DataTable } from '../../parts/data-table.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { useAnswer } from '../../session/use-answer.js';
import type { LedgerConditions } from './ledger-filter.js';
import { addressOf, type LedgerRow, NumberStatusTag } from './number-words.js';

const PAGE = 50;

interface LedgerListProps {
  readonly conditions: LedgerConditions;
  /** Another value reads the page again. */
  readonly revision: number;
}

/** A page of the ledger at a time, so that its length costs nothing. */
export function LedgerList({ conditions, revision }: LedgerListProps) {
  /** Where each page that was read begins; the last one is shown. */
  const [starts, setStarts] = useState<readonly (string | undefined)[]>([undefined]);
  const asked = JSON.stringify(conditions);
  useEffect(() => setStarts([undefined]), [asked]);
  const after = starts.at(-1);
  const page = useAnswer(
    (client) => client.documentNumbers({ first: PAGE, after: after ?? null, filter: conditions }),
    [asked, after, revision],
  );
  const { value } = page;
  const end = value?.pageInfo.hasNextPage ? value.pageInfo.endCursor : null;
  const from = (starts.length - 1) * PAGE;
  return (
    <section class="panel stack tight">
      <Failure error={page.error} onRetry={page.reload} />
      {value && (
        <>
          <LedgerTable rows={value.edges.map(({ node }) => node)} projectCode={conditions.projectCode} />
          <div class="row">
            <button
              type="button"
              disabled={starts.length === 1}
              onClick={() => setStarts((before) => before.slice(0, -1))}
            >
              Page before
            </button>
            <button
              type="button"
              disabled={end === null}
              onClick={() => setStarts((before) => [...before, end ?? undefined])}
            >
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
