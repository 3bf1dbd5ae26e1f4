import { InvalidRequestError, TripReservationClosedError, TripReservationError } from '../trip/errors.js';
import { assertWhole } from '../trip/input.js';
import { BEGINNING, readCursor, type TripFeed, type TripFeedRequest } from './feed.js';
import { checkFeed, type FeedStore, TripReader } from './feed-reader.js';

export interface TripFeedsOptions extends FeedStore {
  readonly failed: (error: Error) => void;
}

/** The open feeds of a reservation. */
export class TripFeeds {
  readonly #options: TripFeedsOptions;
  readonly #open = new Set<TripReader>();
  #isClosed = false;

  constructor(options: TripFeedsOptions) {
    this.#options = options;
  }

  /** @throws InvalidRequestError, TripFeedBrokenError */
  async open(request: TripFeedRequest): Promise<TripFeed> {
    const { after, signal, notices, pollMs = 1000, perSecondMax = 20_000 } = request;
    assertWhole('pollMs', pollMs, 20, 60_000);
    assertWhole('perSecondMax', perSecondMax, 1000, 1_000_000);
    const { database, requestTimeoutMs, failed } = this.#options;
    const now = await checkFeed(this.#options, BEGINNING);
    const { namespace_id: namespaceId, now_ms: completeMs } = now;
    const at = after === undefined ? { ...BEGINNING, completeMs } : readCursor(namespaceId, after);
    if (at === undefined) throw new InvalidRequestError('after', 'must be a cursor of a feed of these trips');
    const { server } = after === undefined ? now : await checkFeed(this.#options, at);
    if (this.#isClosed) throw new TripReservationClosedError();
    const options = {
      database,
      requestTimeoutMs,
      namespaceId,
      at,
      signal,
      notices,
      pollMs,
      perSecondMax,
      afterError: (error: unknown) => {
        const isWorthWaiting = error instanceof TripReservationError && error.retryable;
        if (isWorthWaiting) failed(error);
        return isWorthWaiting ? ('WAIT' as const) : ('THROW' as const);
      },
      ended: () => void this.#open.delete(reader),
    };
    const reader: TripReader = new TripReader(options, server);
    this.#open.add(reader);
    await reader.open();
    return reader;
  }

  /** Ends all of them; those that are just opening are refused. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#open) reader.end();
  }
}
