import { useState } from 'preact/hooks';
import { DataTable } from '../../parts/data-table.js';
import { Moment } from '../../parts/moment.js';
import { Failure, Notice } from '../../parts/notice.js';
import { client, type Result } from '../../session/gateway-client.js';

export type Format = Result<'documentNumberFormats'>['edges'][number]['node'];

interface VersionsProps {
  readonly formats: readonly Format[];
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** All versions of a format. They never change; an unused one can be withdrawn. */
export function Versions({ formats, mayChange, onChanged }: VersionsProps) {
  const [outcome, setOutcome] = useState<{ readonly report?: string; readonly error?: unknown }>({});
  const newest = formats[0];
  const withdraw = async (format: Format): Promise<void> => {
    try {
      const { version, typeCode, project } = format;
      const reply = await client.value.withdrawDocumentNumberFormat({
        input: { projectCode: project?.code ?? '', typeCode, version },
      });
      if (reply.__typename === 'DocumentNumberFormatInUse') setOutcome({ report: reply.message });
      else setOutcome({ report: `Version ${reply.version} was withdrawn.` });
      onChanged();
    } catch (error) {
      setOutcome({ error });
    }
  };
  return (
    <section class="panel stack tight">
      <h2>Versions</h2>
      <DataTable
        caption="Versions of the format, newest first"
        columns={[
          { title: 'Version', cell: ({ version }: Format) => version },
          { title: 'Template', cell: ({ template }) => <code>{template}</code> },
          { title: 'Valid from', cell: ({ validFrom }) => validFrom ?? 'the beginning' },
          { title: 'Until', cell: ({ validUntil }) => validUntil ?? 'now' },
          { title: 'Saved', cell: ({ createdAt }) => <Moment iso={createdAt} /> },
        ]}
        rows={formats}
        keyOf={({ version }) => version}
        empty="No format saved for this type yet."
      />
      {mayChange && newest !== undefined && newest.version > 1 && (
        <div class="row">
          <button type="button" onClick={() => void withdraw(newest)}>
            Withdraw version {newest.version}
          </button>
        </div>
      )}
      <Failure error={outcome.error} />
      <div role="status">{outcome.report && <Notice>{outcome.report}</Notice>}</div>
    </section>
  );
}
