import { useState } from 'preact/hooks';
import { useCatalog } from '../../parts/catalog.js';
import { CodeChoice } from '../../parts/code-choice.js';
import { ConfirmAction } from '../../parts/confirm-action.js';
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

/** Defines how a document type is numbered, or closes earlier dates. */
export function DefineSeries({ onDone }: { readonly onDone: () => void }) {
  const [definition, setDefinition] = useState(NOTHING);
  const [outcome, setOutcome] = useState<{ readonly report?: string; readonly error?: unknown }>({});
  const { projectCode, typeCode, closedUntil } = definition;
  const isMissing = projectCode === '' || typeCode === '';
  const save = async (): Promise<void> => {
    setOutcome({});
    await define(definition);
    setOutcome({ report: `${projectCode} · ${typeCode} is defined.` });
    onDone();
  };
  return (
    <section class="panel stack tight">
      <h2>Define a series, or close dates</h2>
      <form
        class="row end"
        onSubmit={(event) => {
          event.preventDefault();
          void save().catch((error: unknown) => setOutcome({ error }));
        }}
      >
        <DefinitionFields
          definition={definition}
          onChange={(part) => setDefinition((before) => ({ ...before, ...part }))}
        />
        {closedUntil === '' ? (
          <button type="submit" disabled={isMissing}>
            Define
          </button>
        ) : (
          <ConfirmAction
            label={`Close up to ${closedUntil}`}
            isDisabled={isMissing}
            asksReason={false}
            question={`Requests to ${projectCode} · ${typeCode} for numbers dated up to ${closedUntil} will be refused until the dates are reopened.`}
            run={save}
          />
        )}
      </form>
      <p class="quiet small">These rules are fixed once the series has a counter; closed dates can change.</p>
      <Failure error={outcome.error} />
      <div role="status">{outcome.report && <Notice kind="good">{outcome.report}</Notice>}</div>
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
  const { projects, correspondenceTypes } = catalog.value;
  const { projectCode, typeCode, reset, timeZone, closedUntil } = definition;
  return (
    <>
      <CodeChoice
        list={projects}
        label="Project"
        value={projectCode}
        onValue={(code) => onChange({ projectCode: code })}
        none="choose"
      />
      <CodeChoice
        list={correspondenceTypes}
        label="Type"
        value={typeCode}
        onValue={(code) => onChange({ typeCode: code })}
        none="choose"
      />
      <Choice
        label="Resets"
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

async function define({ projectCode, typeCode, closedUntil, ...rules }: Definition): Promise<void> {
  await client.value.defineDocumentSeries({
    input: { projectCode, typeCode, rules: { ...rules, ...(closedUntil !== '' && { closedUntil }) } },
  });
}
