import { useState } from 'preact/hooks';
import { DataTable } from '../../parts/data-table.js';
import { Moment } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { useAnswer } from '../../session/use-answer.js';
import type { LedgerConditions } from './ledger-filter.js';
import { addressOf, type LedgerRow, NumberStatusTag } from './number-words.js';

const PAGE = 50;
/** How often to read on for a page with an entry: each look is at some thousands of numbers. */
const LOOKS_MAX = 20;

/** The reader's position in the pages of a query. */
interface Turned {
  readonly asked: string;
  /** The start cursor of each page, up to the requested one. */
  readonly starts: readonly (string | undefined)[];
}

const FIRST_PAGE: Turned['starts'] = [undefined];

interface LedgerListProps {
  readonly conditions: LedgerConditions;
  /** A new value reloads the page. */
  readonly revision: number;
}

/** Shows the ledger one page at a time, so that its length does not matter. */
export function LedgerList({ conditions, revision }: LedgerListProps) {
  const asked = JSON.stringify(conditions);
  const [turned, setTurned] = useState<Turned>({ asked, starts: FIRST_PAGE });
  // Every new query starts with its first page, even one shown before.
  if (turned.asked !== asked) setTurned({ asked, starts: FIRST_PAGE });
  const starts = turned.asked === asked ? turned.starts : FIRST_PAGE;
  const page = useAnswer(
    async (client) => {
      let after = starts.at(-1) ?? null;
      for (let look = 1; ; look += 1) {
        const found = await client.documentNumbers({ first: PAGE, after, filter: conditions });
        const { hasNextPage, endCursor } = found.pageInfo;
        if (found.edges.length > 0 || !hasNextPage || look === LOOKS_MAX) return { starts, ...found };
        after = endCursor;
      }
    },
    [asked, starts.length, starts.at(-1), revision],
  );
  // These describe the page that is shown, even while another one is loading.
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
              Previous page
            </button>
            <button type="button" disabled={end === null} onClick={() => turn([...shown, end ?? undefined])}>
              Next page
            </button>
            <span class="quiet small" role="status">
              {value.edges.length > 0
                ? `Rows ${from + 1} to ${from + value.edges.length}`
                : end !== null && 'Nothing found yet: the next page looks further.'}
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
      caption="Ledger numbers"
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
        { title: 'Void because', cell: ({ voidReason }) => voidReason ?? '' },
      ]}
      rows={rows}
      keyOf={({ number, typeCode, period, sequence }) => `${number} ${typeCode} ${period} ${sequence}`}
      empty="No numbers match these filters. Issue some in the load view, or remove a filter."
    />
  );
}
