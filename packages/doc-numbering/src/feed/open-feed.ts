import { checkText, checkWhole, type Settings } from '../contract/checks.js';
import type { FeedRequest, NumberFeed } from '../contract/feed.js';
import { FeedRewoundError } from '../contract/feed-error.js';
import { InvalidRequestError, NumberingClosedError, NumberingError } from '../contract/numbering-error.js';
import type { SeriesCatalog } from '../series/series-catalog.js';
import type { PublicCalls } from '../sql/public-calls.js';
import { FeedPosition, readCursor, writeCursor } from './feed-position.js';
import { NumberReader } from './number-reader.js';
import { checkPosition } from './rewound.js';

const POLL_MS = 1000;
const POLL_MS_RANGE = [20, 60_000] as const;
const PER_SECOND = 20_000;
const PER_SECOND_RANGE = [1000, 1_000_000] as const;

export interface FeedsOptions extends Settings {
  readonly calls: PublicCalls;
  readonly catalog: SeriesCatalog;
}

/** The open feeds of a numbering. */
export class NumberFeeds {
  readonly #options: FeedsOptions;
  readonly #open = new Set<NumberReader>();

  constructor(options: FeedsOptions) {
    this.#options = options;
  }

  /** @throws InvalidRequestError, UnknownSeriesError, FeedTooWideError, FeedRewoundError */
  async open(request: FeedRequest): Promise<NumberFeed> {
    const { calls, catalog, observer } = this.#options;
    const { after, signal, notices } = request;
    const pollMs = checkWhole('pollMs', request.pollMs ?? POLL_MS, POLL_MS_RANGE);
    const perSecondMax = checkWhole('perSecondMax', request.perSecondMax ?? PER_SECOND, PER_SECOND_RANGE);
    const space = checkText('space', request.space, 100);
    const code = checkText('series', request.series, 50);
    const { series } = await calls.run((call) => catalog.load(call.reading, space, code));
    const dimensions = checkDimensions(request.dimensions, series);
    const period = request.period === undefined ? undefined : checkText('period', request.period, 50);
    const conditions = [
      ...Object.entries(dimensions).map(([token, value]) => [`dimension ${token}`, value] as const),
      ...(period === undefined ? [] : [['period', period] as const]),
    ];
    const name = { identity: series.identity, conditions };
    const saved = after === undefined ? undefined : readCursor(name, after);
    const checked = saved && (await calls.run((call) => checkPosition(call.reading, space, saved)));
    if (checked?.isRewound) throw new FeedRewoundError(writeCursor(name, checked.position));
    const free = series.dimensions.map(({ token }) => token).filter((token) => !(token in dimensions));
    const reader: NumberReader = new NumberReader({
      calls,
      name,
      query: { seriesId: series.id, space, series: code, dimensions, period },
      narrowBy: [...(period === undefined ? ['period'] : []), ...free],
      position: checked?.position ?? new FeedPosition(),
      server: checked?.server,
      pollMs,
      perSecondMax,
      signal,
      notices,
      afterError: (error) => {
        if (error instanceof NumberingClosedError) return 'END';
        const isWorthWaiting = error instanceof NumberingError && error.retryable;
        if (isWorthWaiting) observer.feedFailed?.(error);
        return isWorthWaiting ? 'WAIT' : 'THROW';
      },
      ended: () => void this.#open.delete(reader),
    });
    this.#open.add(reader);
    await reader.open();
    return reader;
  }

  /** Ends all of them. */
  close(): void {
    for (const reader of this.#open) reader.end();
  }
}

/** @throws InvalidRequestError */
function checkDimensions(
  dimensions: FeedRequest['dimensions'] = {},
  { dimensions: known }: { readonly dimensions: readonly { readonly token: string }[] },
): Readonly<Record<string, string>> {
  for (const [token, value] of Object.entries(dimensions)) {
    if (!known.some((one) => one.token === token))
      throw new InvalidRequestError('dimensions', `${token} is no dimension of the series`);
    checkText(`dimensions.${token}`, value, 50);
  }
  return dimensions;
}
