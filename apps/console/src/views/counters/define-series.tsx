import { useState } from 'preact/hooks';
import { useCatalog } from '../../parts/catalog.js';
import { Choice, TextField } from '../../parts/field.js';
import { Failure, Notice } from '../../parts/notice.js';
import { client } from '../../session/gateway-client.js';
import type { Series } from './series-list.js';

const RESETS: readonly { readonly value: Series['reset']; readonly text: string }[] = [
  { value: 'YEAR', text: 'each year' },
  { value: 'FISCAL_YEAR', text: 'each fiscal year' },
  { value: 'MONTH', text: 'each month' },
  { value: 'DAY', text: 'each day' },
  { value: 'NEVER', text: 'never' },
];

interface Definition {
  readonly projectCode: string;
  readonly typeCode: string;
  readonly reset: Series['reset'];
  readonly timeZone: string;
  readonly closedUntil: string;
}

/** Defines how a document type is numbered, or closes its older dates. */
export function DefineSeries({ onDone }: { readonly onDone: () => void }) {
  const catalog = useCatalog();
  const [definition, setDefinition] = useState<Definition>({
    projectCode: '',
    typeCode: '',
    reset: 'YEAR',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    closedUntil: '',
  });
  const [outcome, setOutcome] = useState<{ readonly said?: string; readonly error?: unknown }>({});
  const set = (part: Partial<Definition>): void => setDefinition({ ...definition, ...part });
  const save = async (): Promise<void> => {
    try {
      const { projectCode, typeCode } = await define(definition);
      setOutcome({ said: `${projectCode} · ${typeCode} is defined so now.` });
      onDone();
    } catch (error) {
      setOutcome({ error });
    }
  };
  if (catalog.value === undefined) return <Failure error={catalog.error} onRetry={catalog.reload} />;
  const { projects, types } = catalog.value;
  const codes = (list: readonly { readonly code: string }[]) => [
    { value: '', text: 'choose' },
    ...list.map(({ code }) => ({ value: code, text: code })),
  ];
  const isWhole = definition.projectCode !== '' && definition.typeCode !== '';
  return (
    <section class="panel stack tight">
      <h2>Define a series, or close dates</h2>
      <form
        class="row end"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Choice
          label="Project"
          value={definition.projectCode}
          onValue={(projectCode) => set({ projectCode })}
          options={codes(projects)}
        />
        <Choice
          label="Type"
          value={definition.typeCode}
          onValue={(typeCode) => set({ typeCode })}
          options={codes(types)}
        />
        <Choice
          label="Starts again"
          value={definition.reset}
          onValue={(reset) => set({ reset: reset as Series['reset'] })}
          options={RESETS}
        />
        <TextField
          label="Time zone"
          value={definition.timeZone}
          onValue={(timeZone) => set({ timeZone })}
          isRequired
        />
        <TextField
          label="Closed up to"
          type="date"
          value={definition.closedUntil}
          onValue={(closedUntil) => set({ closedUntil })}
        />
        <button type="submit" disabled={!isWhole}>
          Define
        </button>
      </form>
      <p class="quiet small">
        What decides a counter is fixed once there is a format; closed dates can change.
      </p>
      <Failure error={outcome.error} />
      <div role="status">{outcome.said && <Notice kind="good">{outcome.said}</Notice>}</div>
    </section>
  );
}

async function define({ projectCode, typeCode, closedUntil, ...rules }: Definition) {
  await client.value.defineDocumentSeries({
    input: { projectCode, typeCode, rules: { ...rules, ...(closedUntil !== '' && { closedUntil }) } },
  });
  return { projectCode, typeCode };
}
