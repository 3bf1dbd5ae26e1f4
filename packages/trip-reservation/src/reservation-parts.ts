import type { TripAcceptance } from './accept/acceptance.js';
import type { KnownAnswers } from './accept/known-answers.js';
import type { TripBackground } from './background.js';
import type { TripFeeds } from './events/open-feed.js';
import type { TripWatcher } from './events/watch.js';
import type { WriteNotices } from './events/write-notices.js';
import type { NearestOffers } from './moves/nearest.js';
import type { ReservationSettings } from './options.js';
import type { TripDatabase } from './sql/database.js';
import type { Namespace } from './sql/namespace.js';

/** The parts of a reservation, assembled by `createTripReservation`. */
export interface TripReservationParts {
  readonly settings: ReservationSettings;
  readonly database: TripDatabase;
  readonly namespace: Namespace;
  readonly acceptance: TripAcceptance;
  readonly known: KnownAnswers;
  readonly background: TripBackground;
  readonly notices: WriteNotices;
  readonly watcher: TripWatcher;
  readonly feeds: TripFeeds;
  readonly nearest: NearestOffers;
}
