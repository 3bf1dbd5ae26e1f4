import { Meter } from '../../charts/meter.js';
import { AnswerTable } from '../../parts/data-table.js';
import { count, figure } from '../../parts/figures.js';
import { Day } from '../../parts/moment.js';
import { usePages } from '../../parts/pages.js';
import type { Result } from '../../session/gateway-client.js';

type Counter = Result<'documentNumberCounters'>['edges'][number]['node'];

const READ_EVERY_MS = 5_000;

interface CounterListProps {
  readonly projectCode: string;
  /** A new value reloads the page. */
  readonly revision: number;
}

/** Each counter's value, how much of its width is used, and when it will be full. */
export function CounterList({ projectCode, revision }: CounterListProps) {
  const filter = projectCode === '' ? null : { projectCode };
  const counters = usePages((client, page) => client.documentNumberCounters({ ...page, filter }), {
    first: 50,
    query: filter,
    revision,
    everyMs: READ_EVERY_MS,
  });
  return (
    <section class="panel stack tight">
      <h2>Counters</h2>
      <AnswerTable
        of={counters}
        caption="Counters and their used width"
        columns={[
          { title: 'Series', cell: (row: Counter) => <Name counter={row} /> },
          { title: 'Period', cell: ({ period }) => period },
          { title: 'Last number', cell: ({ lastNumber }) => count(lastNumber), isNumber: true },
          {
            title: 'Per day',
            cell: ({ perDay }) => (perDay === null ? '–' : figure(perDay)),
            isNumber: true,
          },
          { title: 'Width used', cell: (row) => <Width counter={row} /> },
          {
            title: 'Full on',
            cell: ({ fullOn, perDay, limit, period }) => {
              if (fullOn !== null) return <Day iso={fullOn} />;
              return perDay === null || limit === null || period === 'all' ? '–' : `not in ${period}`;
            },
          },
        ]}
        keyOf={({ id }) => id}
        empty="No numbers yet. Take one in the ledger."
      />
      {!counters.isWhole && counters.buttons}
    </section>
  );
}

function Name({ counter }: { readonly counter: Counter }) {
  const { project, organizationCode, typeCode, disciplineCode } = counter;
  const conditions = Object.entries({
    projectCode: project?.code,
    organizationCode,
    typeCode,
    disciplineCode,
  }).flatMap(([name, code]) => (code ? [[name, code]] : []));
  return (
    <a class="mono" href={`/ledger?${new URLSearchParams(conditions)}`}>
      {conditions.map(([, code]) => code).join(' · ')}
    </a>
  );
}

function Width({ counter: { widthUsed, limit } }: { readonly counter: Counter }) {
  if (widthUsed === null) return <span class="quiet">unknown</span>;
  return <Meter used={widthUsed} what={limit === null ? 'Width used' : `Used of ${count(limit)}`} />;
}
