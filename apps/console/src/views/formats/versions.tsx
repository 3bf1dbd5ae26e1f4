import { useState } from 'preact/hooks';
import { DataTable } from '../../parts/data-table.js';
import { Day, Moment } from '../../parts/moment.js';
import { Failure, Notice } from '../../parts/notice.js';
import { refusalIn } from '../../session/failure.js';
import { client, type Result } from '../../session/gateway-client.js';
import { useAction } from '../../session/use-action.js';

export type Format = Result<'documentNumberFormats'>['edges'][number]['node'];

export const OVERFLOW_WORDS: Readonly<Record<Format['overflow'], string>> = {
  ERROR: 'refuse the number',
  WIDEN: 'print more digits',
};

interface VersionsProps {
  readonly formats: readonly Format[];
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** All versions of a format. They never change; an unused one can be withdrawn. */
export function Versions({ formats, mayChange, onChanged }: VersionsProps) {
  const [report, setReport] = useState<string>();
  const { error, isRunning, run } = useAction();
  const newest = formats[0];
  const withdraw = async (format: Format): Promise<void> => {
    setReport(undefined);
    const { version, typeCode, project } = format;
    const outcome = await client.value.withdrawDocumentNumberFormat({
      input: { projectCode: project?.code ?? '', typeCode, version },
    });
    setReport(refusalIn(outcome) ?? `Version ${version} was withdrawn.`);
    onChanged();
  };
  return (
    <section class="panel stack tight">
      <h2>Versions</h2>
      <DataTable
        caption="Versions of the format, newest first"
        columns={[
          { title: 'Version', cell: ({ version }: Format) => version },
          { title: 'Template', cell: ({ template }) => <code>{template}</code> },
          { title: 'On overflow', cell: ({ overflow }) => OVERFLOW_WORDS[overflow] },
          {
            title: 'Valid from',
            cell: ({ validFrom }) => (validFrom === null ? 'the beginning' : <Day iso={validFrom} />),
          },
          {
            title: 'Until',
            cell: ({ validUntil }) => (validUntil === null ? 'now' : <Day iso={validUntil} />),
          },
          { title: 'Saved', cell: ({ createdAt }) => <Moment iso={createdAt} /> },
        ]}
        rows={formats}
        keyOf={({ version }) => version}
        empty="No format saved for this type yet."
      />
      {mayChange && newest !== undefined && newest.version > 1 && (
        <div class="row">
          <button type="button" disabled={isRunning} onClick={() => void run(() => withdraw(newest))}>
            Withdraw version {newest.version}
          </button>
        </div>
      )}
      <Failure error={error} />
      <div role="status">{report && <Notice>{report}</Notice>}</div>
    </section>
  );
}
