import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { GatewayClient } from '../session/gateway-client.js';
import { type Answer, type AskOptions, useAnswer } from '../session/use-answer.js';

/** How often to read on for a page with an entry: each look is at some thousands of rows. */
const LOOKS_MAX = 20;

interface List<Row> {
  readonly edges: readonly { readonly node: Row }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Which page of a list to read. */
interface PageRequest {
  readonly first: number;
  readonly after: string | null;
}

/** The reader's position in the pages of a query. */
interface Turned {
  readonly asked: string;
  /** The start cursor of each page, up to the requested one. */
  readonly starts: readonly (string | null)[];
}

const FIRST_PAGE: Turned['starts'] = [null];

/** The rows of the page that is shown, even while another one is loading. */
interface Pages<Row> extends Answer<readonly Row[]> {
  /** Whether the list has no other page. */
  readonly isWhole: boolean;
  /** Buttons for the other pages. */
  readonly buttons: ComponentChildren;
}

/**
 * Shows a list one page at a time, so that its length does not matter.
 *
 * @param query identifies what is listed; another one starts with its first page
 * @param revision a new value reads the page again
 */
export function usePages<Row>(
  read: (client: GatewayClient, page: PageRequest) => Promise<List<Row>>,
  {
    first,
    query,
    revision = 0,
    ...options
  }: AskOptions & {
    readonly first: number;
    readonly query: unknown;
    readonly revision?: number;
  },
): Pages<Row> {
  const asked = JSON.stringify(query);
  const [turned, setTurned] = useState<Turned>({ asked, starts: FIRST_PAGE });
  // Every new query starts with its first page, even one shown before.
  if (turned.asked !== asked) setTurned({ asked, starts: FIRST_PAGE });
  const starts = turned.asked === asked ? turned.starts : FIRST_PAGE;
  const { value, error, reload } = useAnswer(
    async (client) => {
      let after = starts.at(-1) ?? null;
      for (let look = 1; ; look += 1) {
        const found = await read(client, { first, after });
        const { hasNextPage, endCursor } = found.pageInfo;
        if (found.edges.length > 0 || !hasNextPage || look === LOOKS_MAX) return { starts, ...found };
        after = endCursor;
      }
    },
    [asked, starts.length, starts.at(-1), revision],
    options,
  );
  const shown = value?.starts ?? FIRST_PAGE;
  const end = value?.pageInfo.hasNextPage ? value.pageInfo.endCursor : null;
  const turn = (to: Turned['starts']): void => setTurned({ asked, starts: to });
  const rows = value?.edges.map(({ node }) => node);
  return {
    value: rows,
    isWhole: shown.length === 1 && end === null,
    error,
    reload,
    buttons: (
      <PageButtons
        from={(shown.length - 1) * first}
        rowCount={rows?.length ?? 0}
        onPrevious={shown.length > 1 && (() => turn(shown.slice(0, -1)))}
        onNext={end !== null && (() => turn([...shown, end]))}
      />
    ),
  };
}

interface PageButtonsProps {
  /** Rows on the pages before. */
  readonly from: number;
  readonly rowCount: number;
  /** Turns the page; false if there is none in that direction. */
  readonly onPrevious: (() => void) | false;
  readonly onNext: (() => void) | false;
}

export function PageButtons({ from, rowCount, onPrevious, onNext }: PageButtonsProps) {
  if (rowCount === 0 && !onPrevious && !onNext) return null;
  return (
    <div class="row">
      <button type="button" disabled={!onPrevious} onClick={onPrevious || undefined}>
        Previous page
      </button>
      <button type="button" disabled={!onNext} onClick={onNext || undefined}>
        Next page
      </button>
      <span class="quiet small" role="status">
        {rowCount > 0
          ? `Rows ${from + 1} to ${from + rowCount}`
          : onNext && 'Nothing found yet: the next page looks further.'}
      </span>
    </div>
  );
}
