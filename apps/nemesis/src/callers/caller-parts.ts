import type { Dice } from '@solegate/testkit';
import type { Frontends } from './frontends.js';
import type { OpenRequests } from './open-requests.js';
import type { Place } from './places.js';
import type { Recorder } from './recorder.js';

/** What all callers of a run share. */
export interface CallerParts {
  readonly frontends: Frontends;
  readonly recorder: Recorder;
  readonly dice: Dice;
  readonly open: OpenRequests;
  readonly places: readonly Place[];
}
