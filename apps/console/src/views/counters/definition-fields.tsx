import { useCatalog } from '../../parts/catalog.js';
import { CodeChoice } from '../../parts/code-choice.js';
import { Choice, TextField } from '../../parts/field.js';
import { Failure } from '../../parts/notice.js';
import type { Result } from '../../session/gateway-client.js';

export type Series = Result<'documentSeries'>['edges'][number]['node'];

export const RESET_WORDS: Readonly<Record<Series['reset'], string>> = {
  YEAR: 'each year',
  FISCAL_YEAR: 'each fiscal year',
  QUARTER: 'each quarter',
  MONTH: 'each month',
  WEEK: 'each week',
  DAY: 'each day',
  NEVER: 'never',
};

const RESETS = Object.entries(RESET_WORDS).map(([value, text]) => ({ value, text }));
const MONTH = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' });
export const MONTHS = Array.from({ length: 12 }, (_, index) => ({
  value: String(index + 1),
  text: MONTH.format(Date.UTC(2026, index)),
}));
const ZONES = 'time-zones';

/** The fields of a series, as typed: an empty text means "none". */
export interface Definition {
  readonly projectCode: string;
  readonly typeCode: string;
  readonly reset: Series['reset'];
  readonly timeZone: string;
  readonly fiscalStartMonth: string;
  readonly closedUntil: string;
  readonly openUntil: string;
  readonly startAt: string;
  readonly endAt: string;
}

/** Without a time zone: the browser's need not be that of the documents, and it cannot be changed later. */
export const NO_DEFINITION: Definition = {
  projectCode: '',
  typeCode: '',
  reset: 'YEAR',
  timeZone: '',
  fiscalStartMonth: '1',
  closedUntil: '',
  openUntil: '',
  startAt: '',
  endAt: '',
};

interface DefinitionFieldsProps {
  readonly definition: Definition;
  readonly onChange: (part: Partial<Definition>) => void;
}

export function DefinitionFields({ definition, onChange }: DefinitionFieldsProps) {
  const catalog = useCatalog();
  if (catalog.value === undefined) return <Failure error={catalog.error} onRetry={catalog.reload} />;
  const { projects, correspondenceTypes } = catalog.value;
  const { projectCode, typeCode, reset } = definition;
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
      {reset === 'FISCAL_YEAR' && (
        <Choice
          label="Fiscal year starts in"
          value={definition.fiscalStartMonth}
          onValue={(fiscalStartMonth) => onChange({ fiscalStartMonth })}
          options={MONTHS}
        />
      )}
      <TextField
        label="Time zone"
        value={definition.timeZone}
        onValue={(timeZone) => onChange({ timeZone })}
        placeholder="such as Asia/Bangkok"
        list={ZONES}
        isRequired
      />
      <datalist id={ZONES}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <RangeFields definition={definition} onChange={onChange} />
    </>
  );
}

/** What can change as long as the series exists, but for its first number. */
function RangeFields({ definition, onChange }: DefinitionFieldsProps) {
  return (
    <>
      <TextField
        label="First number"
        type="number"
        value={definition.startAt}
        onValue={(startAt) => onChange({ startAt })}
        placeholder="1"
      />
      <TextField
        label="Last number"
        type="number"
        value={definition.endAt}
        onValue={(endAt) => onChange({ endAt })}
        placeholder="width limit"
      />
      <TextField
        label="Closed up to"
        type="date"
        value={definition.closedUntil}
        onValue={(closedUntil) => onChange({ closedUntil })}
      />
      <TextField
        label="Open up to"
        type="date"
        value={definition.openUntil}
        onValue={(openUntil) => onChange({ openUntil })}
      />
    </>
  );
}
