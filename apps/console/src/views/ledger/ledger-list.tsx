import { DataTable } from '../../parts/data-table.js';
import { Day, Moment } from '../../parts/moment.js';
import { Progress } from '../../parts/notice.js';
import { NumberLink } from '../../parts/number-link.js';
import { usePages } from '../../parts/pages.js';
import type { LedgerConditions } from './ledger-filter.js';
import { type LedgerRow, NumberStatusTag } from './number-words.js';

interface LedgerListProps {
  readonly conditions: LedgerConditions;
  /** A new value reloads the page. */
  readonly revision: number;
}

/** The numbers of the ledger: the newest of each counter first. */
export function LedgerList({ conditions, revision }: LedgerListProps) {
  const filter = { ...conditions, newestFirst: true };
  const pages = usePages((client, page) => client.documentNumbers({ ...page, filter }), {
    first: 50,
    query: conditions,
    revision,
  });
  return (
    <section class="panel stack tight">
      <Progress of={pages} />
      {pages.value && (
        <>
          <LedgerTable
            rows={pages.value}
            empty="No numbers match these filters. Take one, or remove a filter."
          />
          {pages.buttons}
        </>
      )}
    </section>
  );
}

export function LedgerTable({
  rows,
  empty,
}: {
  readonly rows: readonly LedgerRow[];
  readonly empty: string;
}) {
  return (
    <DataTable
      caption="Ledger numbers"
      columns={[
        {
          title: 'Number',
          cell: ({ number, project }: LedgerRow) => (
            <NumberLink number={number} projectCode={project?.code} />
          ),
        },
        { title: 'Status', cell: ({ status }) => <NumberStatusTag status={status} /> },
        { title: 'Business date', cell: ({ date }) => <Day iso={date} /> },
        { title: 'Issued', cell: ({ issuedAt }) => <Moment iso={issuedAt} /> },
        {
          title: 'Reason',
          // Of a void number both can be given: why it was taken, and why it was voided.
          cell: ({ reason, voidReason }) => [reason, voidReason].filter(Boolean).join('; void: '),
        },
      ]}
      rows={rows}
      keyOf={({ project, number }) => `${project?.code} ${number}`}
      empty={empty}
    />
  );
}
