import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useCatalog } from '../../parts/catalog.js';
import { CodeChoice } from '../../parts/code-choice.js';
import { Choice, TextField } from '../../parts/field.js';
import { Failure } from '../../parts/notice.js';
import { addressOf } from '../../parts/number-link.js';
import { CODES_OF_SERIES } from '../../parts/series-choice.js';
import { type NumberStatus, STATUS_WORDS } from './number-words.js';

/** The filters of the ledger, as encoded in the address. */
export interface LedgerConditions {
  readonly projectCode?: string;
  readonly organizationCode?: string;
  readonly typeCode?: string;
  readonly disciplineCode?: string;
  readonly status?: NumberStatus;
}

const NAMES = ['projectCode', 'organizationCode', 'typeCode', 'disciplineCode', 'status'] as const;
const STATUSES = Object.entries(STATUS_WORDS).map(([value, text]) => ({ value, text }));

export function conditionsOf(query: Readonly<Record<string, string>>): LedgerConditions {
  return Object.fromEntries(NAMES.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** Filters the ledger, or opens one number. Each choice changes the address, so the back button works. */
export function LedgerFilter({ conditions }: { readonly conditions: LedgerConditions }) {
  const { route } = useLocation();
  const catalog = useCatalog();
  const choose = (name: (typeof NAMES)[number], value: string): void => {
    const query = new URLSearchParams({ ...conditions, [name]: value });
    if (value === '') query.delete(name);
    route(`/ledger${query.size > 0 ? `?${query}` : ''}`);
  };
  if (catalog.value === undefined) return <Failure error={catalog.error} onRetry={catalog.reload} />;
  const { value } = catalog;
  return (
    <section class="panel stack tight" aria-label="Filter">
      <div class="row end">
        {CODES_OF_SERIES.map(({ name, label, kind }) => (
          <CodeChoice
            key={name}
            list={value[kind]}
            label={label}
            value={conditions[name] ?? ''}
            onValue={(code) => choose(name, code)}
            none="all"
          />
        ))}
        <Choice
          label="Status"
          value={conditions.status ?? ''}
          onValue={(status) => choose('status', status)}
          options={[{ value: '', text: 'all' }, ...STATUSES]}
        />
      </div>
      <NumberSearch projectCode={conditions.projectCode} />
    </section>
  );
}

function NumberSearch({ projectCode }: { readonly projectCode: string | undefined }) {
  const { route } = useLocation();
  const [number, setNumber] = useState('');
  return (
    <form
      class="row end"
      onSubmit={(event) => {
        event.preventDefault();
        route(addressOf(number.trim(), projectCode));
      }}
    >
      <TextField
        label="Number"
        value={number}
        onValue={setNumber}
        placeholder="TEAM-RFA-STR-2026-0001"
        isRequired
        isMono
      />
      <button type="submit">Show history</button>
    </form>
  );
}
