import { type Deadline, type SqlSession, settleBy } from '@solegate/postgres-infra';
import { checkText } from '../contract/checks.js';
import type { LedgerEntry } from '../contract/ledger-columns.js';
import { BusyError, InvalidRequestError } from '../contract/numbering-error.js';
import type {
  ChainBreak,
  ChainReport,
  NumberSeal,
  RecomputeSeals,
  SealedNumber,
  VerifyChainRequest,
} from '../contract/seals.js';
import { sha256Seal } from '../seal/sha256-seal.js';
import type { DatabaseCall } from '../sql/public-calls.js';
import { selectRows } from '../sql/rows.js';
import { entryColumns, entryTables } from './entries.js';

const PAGE_SIZE = 500;
const BREAK_MAX = 100;

const sealColumns = `l.chain, l.position::float8, l.counter_id::text AS "counterId", l.sequence::float8, l.previous, l.seal`;

const SELECT_HEAD = 'SELECT position::float8, seal FROM document_number_chains WHERE chain = $1';

const SELECT_PAGE = `
SELECT ${sealColumns} FROM document_number_seals l
WHERE l.chain = $1 AND l.position > $2::bigint AND l.position <= $3::bigint
ORDER BY l.position
LIMIT ${PAGE_SIZE}`;

const SELECT_ENTRIES = `
SELECT ${entryColumns} FROM ${entryTables}
JOIN unnest($1::bigint[], $2::bigint[]) AS w (counter_id, sequence)
  ON n.counter_id = w.counter_id AND n.sequence = w.sequence`;

const SELECT_SEALS = `
SELECT ${sealColumns}, w.place::int
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (space, number, place)
JOIN document_numbers n ON n.space = w.space AND n.number = w.number
JOIN document_number_seals l ON l.counter_id = n.counter_id AND l.sequence = n.sequence`;

type End = ChainReport['end'];
type Place = Pick<NumberSeal, 'counterId' | 'sequence'>;

const placeOf = ({ counterId, sequence }: Place): string => `${counterId}/${sequence}`;

/**
 * Walks a chain up to the end that it has now, page by page, while numbers are issued. After a break, the walk goes on
 * from what is stored, so that one change breaks one or two positions and not all that follow. @throws BusyError if
 * `recompute` does not end in time
 */
export async function verifyChain(
  { reading: session, deadline }: DatabaseCall,
  name: string,
  recompute: RecomputeSeals = sha256Seals,
  { after = { position: 0, seal: '' } }: VerifyChainRequest = {},
): Promise<ChainReport> {
  const chain = checkText('chain', name, 200);
  const [head = { position: 0, seal: '' }] = await selectRows<End>(session, SELECT_HEAD, [chain]);
  const breaks: ChainBreak[] = [];
  let end: End = after;
  let verifiedCount = 0;
  for (let isLast = false; !isLast; ) {
    const page = await selectRows<NumberSeal>(session, SELECT_PAGE, [chain, end.position, head.position]);
    const remade = await remakeSeals(session, page, { recompute, deadline });
    for (const row of page) {
      breaks.push(...breaksAt(row, end, remade.get(row.position)));
      end = { position: row.position, seal: row.seal };
    }
    verifiedCount += page.length;
    isLast = page.length < PAGE_SIZE;
  }
  if (head.position > end.position)
    breaks.push({ kind: 'MISSING', first: end.position + 1, last: head.position });
  else if (head.position < end.position || head.seal !== end.seal)
    breaks.push({ kind: 'HEAD', position: end.position, expected: end.seal, found: head.seal });
  return { chain, verifiedCount, end, breaks: breaks.slice(0, BREAK_MAX), breakCount: breaks.length };
}

type Remade = { readonly number: string; readonly seal: string };

/** The seals that the ledger makes, by position, of those numbers that it has. */
async function remakeSeals(
  session: SqlSession,
  page: readonly NumberSeal[],
  { recompute, deadline }: { readonly recompute: RecomputeSeals; readonly deadline: Deadline },
): Promise<Map<number, Remade>> {
  const values = [page.map(({ counterId }) => counterId), page.map(({ sequence }) => sequence)];
  const rows = page.length > 0 ? await selectRows<LedgerEntry>(session, SELECT_ENTRIES, values) : [];
  const entries = new Map(rows.map((entry) => [placeOf(entry), entry]));
  const numbers = page.flatMap((row): SealedNumber[] => {
    const entry = entries.get(placeOf(row));
    return entry ? [{ ...row, entry }] : [];
  });
  const seals = await settleBy(Promise.resolve(recompute(numbers)), deadline, () => new BusyError());
  if (seals.length !== numbers.length)
    throw new InvalidRequestError(
      'recompute',
      `returned ${seals.length} seals for ${numbers.length} numbers`,
    );
  return new Map(
    numbers.map(({ position, entry: { number } }, index) => [position, { number, seal: seals[index] ?? '' }]),
  );
}

function* breaksAt(row: NumberSeal, before: End, remade: Remade | undefined): Generator<ChainBreak> {
  const { position, previous, counterId, sequence, seal } = row;
  if (position > before.position + 1)
    yield { kind: 'MISSING', first: before.position + 1, last: position - 1 };
  else if (previous !== before.seal)
    yield { kind: 'PREVIOUS', position, expected: before.seal, found: previous };
  if (!remade) yield { kind: 'NUMBER', position, counterId, sequence };
  else if (remade.seal !== seal)
    yield { kind: 'SEAL', position, number: remade.number, expected: remade.seal, found: seal };
}

const sha256Seals: RecomputeSeals = (numbers) =>
  numbers.map(({ previous, entry }) => sha256Seal(previous, entry, entry));

/** Returns the seals of numbers in their order; `undefined` for a number without one. */
export async function findSeals(
  session: SqlSession,
  numbers: readonly Pick<LedgerEntry, 'space' | 'number'>[],
): Promise<(NumberSeal | undefined)[]> {
  const values = [numbers.map(({ space }) => space), numbers.map(({ number }) => number)];
  const rows = await selectRows<NumberSeal & { readonly place: number }>(session, SELECT_SEALS, values);
  const byPlace = new Map(rows.map(({ place, ...seal }) => [place, seal]));
  return numbers.map((_, index) => byPlace.get(index + 1));
}
