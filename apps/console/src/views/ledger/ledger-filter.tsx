import { useLocation } from 'preact-iso';
import { useCatalog } from '../../parts/catalog.js';
import { CodeChoice } from '../../parts/code-choice.js';
import { Choice } from '../../parts/field.js';
import { Progress } from '../../parts/notice.js';
import { CODES_OF_SERIES } from '../../parts/series-choice.js';
import { type NumberStatus, STATUS_WORDS } from './number-words.js';

/** The conditions that a search can have, as encoded in the address. */
export interface SearchConditions {
  /** What to search for; absent for a list. */
  readonly text?: string;
  readonly projectCode?: string;
  readonly status?: NumberStatus;
  /** Who took the number: the subject of their token. */
  readonly actorId?: string;
  /** Business dates, both inclusive. */
  readonly dateFrom?: string;
  readonly dateTo?: string;
}

/** The filters of the ledger, as encoded in the address. */
export interface LedgerConditions extends SearchConditions {
  readonly organizationCode?: string;
  readonly typeCode?: string;
  readonly disciplineCode?: string;
}

const OF_SEARCH = ['text', 'projectCode', 'status', 'actorId', 'dateFrom', 'dateTo'] as const;
const OF_LIST = ['organizationCode', 'typeCode', 'disciplineCode'] as const;
const STATUSES = Object.entries(STATUS_WORDS).map(([value, text]) => ({ value, text }));

/** A search has no codes besides the project's: they are in the text of the number. */
export function conditionsOf(query: Readonly<Record<string, string>>): LedgerConditions {
  const names = query.text ? OF_SEARCH : [...OF_SEARCH, ...OF_LIST];
  return Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
}

/** The address of a list or a search. */
export function ledgerAddress(conditions: LedgerConditions): string {
  const query = new URLSearchParams(Object.entries(conditions).filter(([, value]) => value !== ''));
  return `/ledger${query.size > 0 ? `?${query}` : ''}`;
}

/** Filters the ledger. Each choice changes the address, so the back button works. */
export function LedgerFilter({ conditions }: { readonly conditions: LedgerConditions }) {
  const { route } = useLocation();
  const catalog = useCatalog();
  const choose = (name: keyof LedgerConditions, value: string): void =>
    route(ledgerAddress({ ...conditions, [name]: value }));
  if (catalog.value === undefined) return <Progress of={catalog} />;
  const { value } = catalog;
  const isSearch = conditions.text !== undefined;
  return (
    <section class="row end" aria-label="Filter">
      {CODES_OF_SERIES.filter(({ name }) => !isSearch || name === 'projectCode').map(
        ({ name, label, kind }) => (
          <CodeChoice
            key={name}
            list={value[kind]}
            label={label}
            value={conditions[name] ?? ''}
            onValue={(code) => choose(name, code)}
            none="all"
          />
        ),
      )}
      <Choice
        label="Status"
        value={conditions.status ?? ''}
        onValue={(status) => choose('status', status)}
        options={[{ value: '', text: 'all' }, ...STATUSES]}
      />
    </section>
  );
}
