import { useCatalog } from '../../parts/catalog.js';
import { CodeChoice } from '../../parts/code-choice.js';
import { Choice, fieldsOf, TextField } from '../../parts/field.js';
import { Progress } from '../../parts/notice.js';
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
const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

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
  /** Whether the project is chosen elsewhere. */
  readonly hasProject: boolean;
}

export function DefinitionFields({ definition, onChange, hasProject }: DefinitionFieldsProps) {
  const catalog = useCatalog();
  if (catalog.value === undefined) return <Progress of={catalog} />;
  const { projects, correspondenceTypes } = catalog.value;
  const bound = fieldsOf(definition, onChange);
  return (
    <>
      {!hasProject && <CodeChoice list={projects} label="Project" none="choose" {...bound('projectCode')} />}
      <CodeChoice list={correspondenceTypes} label="Type" none="choose" {...bound('typeCode')} />
      <Choice label="Resets" options={RESETS} {...bound('reset')} />
      {definition.reset === 'FISCAL_YEAR' && (
        <Choice label="Fiscal year starts in" options={MONTHS} {...bound('fiscalStartMonth')} />
      )}
      <TextField
        label="Time zone"
        {...bound('timeZone')}
        hint={definition.timeZone === '' ? `such as ${OWN_ZONE}` : undefined}
        list={ZONES}
        isRequired
      />
      <datalist id={ZONES}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {/* What can change as long as the series exists, but for its first number. */}
      <TextField label="First number" type="number" placeholder="1" {...bound('startAt')} />
      <TextField label="Last number" type="number" placeholder="width limit" {...bound('endAt')} />
      <TextField label="Closed up to" type="date" {...bound('closedUntil')} />
      <TextField label="Open up to" type="date" {...bound('openUntil')} />
    </>
  );
}
