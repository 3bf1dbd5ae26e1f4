import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { fieldsOf, TextField } from '../../parts/field.js';
import { count } from '../../parts/figures.js';
import { Form } from '../../parts/form.js';
import { Progress } from '../../parts/notice.js';
import { addressOf } from '../../parts/number-link.js';
import { PageButtons } from '../../parts/pages.js';
import type { Result } from '../../session/gateway-client.js';
import { useAnswer } from '../../session/use-answer.js';
import { type LedgerConditions, ledgerAddress, type SearchConditions } from './ledger-filter.js';
import { LedgerTable } from './ledger-list.js';

type Found = Result<'searchDocumentNumbers'>;

const PAGE_SIZE = 50;
/** The gateway looks at no more numbers with one text. */
const FOUND_MAX = 1_000;

/** Finds numbers by what a person remembers, which goes into the address, so the back button works. */
export function SearchField({ conditions }: { readonly conditions: LedgerConditions }) {
  const { route } = useLocation();
  const { text = '', actorId = '', dateFrom = '', dateTo = '' } = conditions;
  const given = { text, actorId, dateFrom, dateTo };
  const [typed, setTyped] = useState(given);
  useEffect(() => setTyped(given), [text, actorId, dateFrom, dateTo]);
  const bound = fieldsOf(typed, (part) => setTyped((before) => ({ ...before, ...part })));
  const search = (): void => {
    const { text, actorId, ...dates } = typed;
    route(ledgerAddress({ ...conditions, ...dates, text: text.trim(), actorId: actorId.trim() }));
  };
  return (
    <Form class="row end wide" onSubmit={search}>
      <TextField label="Search" type="search" placeholder="number, document or person" {...bound('text')} />
      <TextField label="Taken by (ID)" placeholder="anybody" {...bound('actorId')} />
      <TextField label="Dated from" type="date" {...bound('dateFrom')} />
      <TextField label="Dated to" type="date" {...bound('dateTo')} />
      <button type="submit" class="primary">
        Search
      </button>
    </Form>
  );
}

interface FoundNumbersProps {
  readonly conditions: SearchConditions & { readonly text: string };
  /** A new value searches again. */
  readonly revision: number;
}

/** What a search found, newest first; a number that is the only one is opened, but not one that became it later. */
export function FoundNumbers({ conditions, revision }: FoundNumbersProps) {
  const { route } = useLocation();
  const asked = JSON.stringify(conditions);
  const [turned, setTurned] = useState({ asked, skip: 0 });
  const skip = turned.asked === asked ? turned.skip : 0;
  const { value, error, reload } = useAnswer(
    async (client) => ({
      asked,
      skip,
      ...(await client.searchDocumentNumbers({ search: conditions, first: PAGE_SIZE, skip })),
    }),
    [asked, skip, revision],
  );
  const found = value?.asked === asked ? value : undefined;
  const turn = (to: number): void => setTurned({ asked, skip: to });
  const answered = useRef('');
  useEffect(() => {
    if (found === undefined || answered.current === asked) return;
    answered.current = asked;
    const only = found.total === 1 && found.people.length === 0 ? found.numbers[0] : undefined;
    if (only !== undefined) route(addressOf(only.number, only.project?.code), true);
  }, [found]);
  return (
    <section class="panel stack tight" aria-label="Numbers found">
      <Progress of={{ value: found, error, reload }} />
      {found && (
        <>
          <p role="status">{totalOf(found)}</p>
          <People people={found.people} />
          <LedgerTable
            rows={found.numbers}
            empty="No number begins like this, and none has this sequence or document. A part from inside a number is not searched for."
          />
          {found.total > PAGE_SIZE && (
            <PageButtons
              from={skip}
              rowCount={found.numbers.length}
              onPrevious={skip > 0 && (() => turn(skip - PAGE_SIZE))}
              onNext={skip + PAGE_SIZE < found.total && (() => turn(skip + PAGE_SIZE))}
            />
          )}
        </>
      )}
    </section>
  );
}

/** The total stops where the gateway stops looking. */
function totalOf({ total, isMore }: Found): string {
  if (total === 0) return '';
  if (isMore) return `${count(total)} or more numbers, the last ${count(FOUND_MAX)} in their order.`;
  return total === 1 ? '1 number.' : `${count(total)} numbers, newest first.`;
}

function People({ people }: Pick<Found, 'people'>) {
  if (people.length === 0) return null;
  return (
    <p>
      Taken by{' '}
      {people.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <a href={ledgerAddress({ actorId: id })}>{name}</a>
        </span>
      ))}
    </p>
  );
}
