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
  const [report, setReport] = useState<string>();
  const { projectCode, typeCode, closedUntil } = definition;
  const save = async (): Promise<void> => {
    setReport(undefined);
    await define(definition);
    setReport(`${projectCode} · ${typeCode} is defined.`);
    onDone();
  };
  return (
    <section class="panel stack tight">
      <h2>Define a series, or close dates</h2>
      <div class="row end">
        <DefinitionFields
          definition={definition}
          onChange={(part) => setDefinition((before) => ({ ...before, ...part }))}
        />
        <ConfirmAction
          label={closedUntil === '' ? 'Define' : `Close up to ${closedUntil}`}
          isDisabled={projectCode === '' || typeCode === '' || definition.timeZone === ''}
          asksReason={false}
          question={questionOf(definition)}
          run={save}
        />
      </div>
      <p class="quiet small">These rules are fixed once the series has a counter; closed dates can change.</p>
      <div role="status">{report && <Notice kind="good">{report}</Notice>}</div>
    </section>
  );
}

function questionOf({ projectCode, typeCode, reset, timeZone, closedUntil }: Definition): string {
  const words = RESETS.find(({ value }) => value === reset)?.text;
  const series = `${projectCode} · ${typeCode}`;
  const closes = `Requests to ${series} for numbers dated up to ${closedUntil} will be refused until the dates are reopened.`;
  return `${series} restarts ${words}, by the dates of ${timeZone}. This is fixed once it has a counter. ${closedUntil === '' ? '' : closes}`;
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
