import { ConfirmAction } from '../../parts/confirm-action.js';
import { AnswerTable } from '../../parts/data-table.js';
import { count } from '../../parts/figures.js';
import { Day } from '../../parts/moment.js';
import { Failure } from '../../parts/notice.js';
import { client } from '../../session/gateway-client.js';
import { roles } from '../../session/identity.js';
import { useAction } from '../../session/use-action.js';
import type { Answer } from '../../session/use-answer.js';
import { RESET_WORDS, type Series } from './definition-fields.js';

/** How each document type is numbered, and whether its numbers can be issued. */
export function SeriesList({ series }: { readonly series: Answer<readonly Series[]> }) {
  const isAdmin = roles.value.has('admin');
  return (
    <section class="panel stack tight">
      <h2>Series</h2>
      <AnswerTable
        of={series}
        caption="Series and their rules"
        columns={[
          {
            title: 'Series',
            cell: ({ project, typeCode }: Series) => (
              <a class="mono" href={`/formats/${project?.code ?? ''}/${typeCode}`}>
                {project?.code} · {typeCode}
              </a>
            ),
          },
          { title: 'Resets', cell: ({ reset }) => RESET_WORDS[reset] },
          { title: 'From', cell: ({ startAt }) => count(startAt), isNumber: true },
          {
            title: 'To',
            cell: ({ endAt }) => (endAt === null ? 'width limit' : count(endAt)),
            isNumber: true,
          },
          { title: 'Closed up to', cell: ({ closedUntil }) => <Day iso={closedUntil} /> },
          { title: 'Time zone', cell: ({ timeZone }) => timeZone },
          { title: 'State', cell: (row) => <State series={row} /> },
          ...(isAdmin
            ? [{ title: 'Change', cell: (row: Series) => <Change series={row} onDone={series.reload} /> }]
            : []),
        ]}
        keyOf={({ id }) => id}
        empty="No series yet. Save a format in the formats view."
      />
    </section>
  );
}

function State({ series: { blockedReason } }: { readonly series: Series }) {
  if (blockedReason === null) return <>open</>;
  return <span class="tag limit">blocked: {blockedReason}</span>;
}

function Change({ series, onDone }: { readonly series: Series; readonly onDone: () => void }) {
  const { error, isRunning, run } = useAction();
  const { project, typeCode, blockedReason } = series;
  if (project === null) return null;
  const input = { projectCode: project.code, typeCode };
  if (blockedReason === null) {
    return (
      <ConfirmAction
        label={`Block ${typeCode}`}
        question={`Requests to ${project.code} · ${typeCode} will be refused with your reason. The series can be reopened.`}
        run={async (reason) => {
          await client.value.blockDocumentSeries({ input: { ...input, reason } });
          onDone();
        }}
      />
    );
  }
  const open = async (): Promise<void> => {
    await client.value.unblockDocumentSeries({ input });
    onDone();
  };
  return (
    <>
      <button type="button" disabled={isRunning} onClick={() => void run(open)}>
        Open {typeCode}
      </button>
      <Failure error={error} />
    </>
  );
}
