import { useState } from 'preact/hooks';
import { type Coded, useCatalog } from '../../parts/catalog.js';
import { Choice, TextField } from '../../parts/field.js';
import { Failure, Notice } from '../../parts/notice.js';
import { client } from '../../session/gateway-client.js';
import type { Series } from './series-list.js';

const RESETS: readonly { readonly value: Series['reset']; readonly text: string }[] = [
  { value: 'YEAR', text: 'each year' },
  { value: 'FISCAL_YEAR', text: 'each fiscal year' },
  { value: 'QUARTER', text: 'each quarter' },
  { value: 'MONTH', text: 'each month' },
  { value: 'WEEK', text: 'each week' },
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

const NOTHING: Definition = {
  projectCode: '',
  typeCode: '',
  reset: 'YEAR',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  closedUntil: '',
};

/** Defines how a document type is numbered, or closes its older dates. */
export function DefineSeries({ onDone }: { readonly onDone: () => void }) {
  const [definition, setDefinition] = useState(NOTHING);
  const [outcome, setOutcome] = useState<{ readonly said?: string; readonly error?: unknown }>({});
  const save = async (): Promise<void> => {
    try {
      const { projectCode, typeCode } = await define(definition);
      setOutcome({ said: `${projectCode} · ${typeCode} is defined so now.` });
      onDone();
    } catch (error) {
      setOutcome({ error });
    }
  };
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
        <DefinitionFields
          definition={definition}
          onChange={(part) => setDefinition((before) => ({ ...before, ...part }))}
        />
        <button type="submit" disabled={definition.projectCode === '' || definition.typeCode === ''}>
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

interface DefinitionFieldsProps {
  readonly definition: Definition;
  readonly onChange: (part: Partial<Definition>) => void;
}

function DefinitionFields({ definition, onChange }: DefinitionFieldsProps) {
  const catalog = useCatalog();
  if (catalog.value === undefined) return <Failure error={catalog.error} onRetry={catalog.reload} />;
  const { projects, types } = catalog.value;
  const { projectCode, typeCode, reset, timeZone, closedUntil } = definition;
  return (
    <>
      <Choice
        label="Project"
        value={projectCode}
        onValue={(code) => onChange({ projectCode: code })}
        options={choicesOf(projects)}
      />
      <Choice
        label="Type"
        value={typeCode}
        onValue={(code) => onChange({ typeCode: code })}
        options={choicesOf(types)}
      />
      <Choice
        label="Starts again"
        value={reset}
        onValue={(text) => onChange({ reset: text as Series['reset'] })}
        options={RESETS}
      />
      <TextField
        label="Time zone"
        value={timeZone}
        onValue={(text) => onChange({ timeZone: text })}
        isRequired
      />
      <TextField
        label="Closed up to"
        type="date"
        value={closedUntil}
        onValue={(text) => onChange({ closedUntil: text })}
      />
    </>
  );
}

function choicesOf(codes: readonly Coded[]) {
  return [{ value: '', text: 'choose' }, ...codes.map(({ code }) => ({ value: code, text: code }))];
}

async function define({ projectCode, typeCode, closedUntil, ...rules }: Definition) {
  await client.value.defineDocumentSeries({
    input: { projectCode, typeCode, rules: { ...rules, ...(closedUntil !== '' && { closedUntil }) } },
  });
  return { projectCode, typeCode };
}
