import type * as pool from './driver-pool.js';

export { DriverPoolUnavailableError } from '../trip/errors.js';
export {
  createDriverPool,
  type DriverPoolOptions,
  type DriverPosition,
  type NearestOptions,
  type ReserveOptions,
} from './driver-pool.js';
export type { NearbyDriver } from './pool-commands.js';

/** See `createDriverPool`. Not the class itself: its private members make it a different type in each module format. */
export type DriverPool = Pick<pool.DriverPool, keyof pool.DriverPool>;
