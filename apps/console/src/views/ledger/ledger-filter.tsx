import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Catalog, useCatalog } from '../../parts/catalog.js';
import { Choice, TextField } from '../../parts/field.js';
import { Failure } from '../../parts/notice.js';
import { addressOf, type NumberStatus, STATUS_WORDS } from './number-words.js';

/** The filters of the ledger, as encoded in the address. */
export interface LedgerConditions {
  readonly projectCode?: string;
  readonly organizationCode?: string;
  readonly typeCode?: string;
  readonly disciplineCode?: string;
  readonly status?: NumberStatus;
}

const NAMES = ['projectCode', 'organizationCode', 'typeCode', 'disciplineCode', 'status'] as const;

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
  const codes = choicesOf(catalog.value);
  return (
    <section class="panel stack tight" aria-label="Filter">
      <div class="row end">
        {codes.map(({ name, label, options }) => (
          <Choice
            key={name}
            label={label}
            value={conditions[name] ?? ''}
            onValue={(value) => choose(name, value)}
            options={[{ value: '', text: 'all' }, ...options]}
          />
        ))}
      </div>
      <NumberSearch projectCode={conditions.projectCode ?? ''} />
    </section>
  );
}

function choicesOf({ projects, organizations, types, disciplines }: Catalog) {
  const texts = (codes: readonly { readonly code: string }[]) =>
    codes.map(({ code }) => ({ value: code, text: code }));
  return [
    { name: 'projectCode', label: 'Project', options: texts(projects) },
    { name: 'organizationCode', label: 'Organization', options: texts(organizations) },
    { name: 'typeCode', label: 'Type', options: texts(types) },
    { name: 'disciplineCode', label: 'Discipline', options: texts(disciplines) },
    {
      name: 'status',
      label: 'Status',
      options: Object.entries(STATUS_WORDS).map(([value, text]) => ({ value, text })),
    },
  ] as const;
}

function NumberSearch({ projectCode }: { readonly projectCode: string }) {
  const { route } = useLocation();
  const [number, setNumber] = useState('');
  return (
    <form
      class="row end"
      onSubmit={(event) => {
        event.preventDefault();
        const text = number.trim();
        route(projectCode === '' ? `/ledger/${encodeURIComponent(text)}` : addressOf(text, projectCode));
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
