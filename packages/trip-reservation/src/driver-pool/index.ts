import type * as pool from './driver-pool.js';

export { DriverPoolUnavailableError } from '../trip/errors.js';
export {
  createDriverPool,
  type DriverPoolOptions,
  type DriverPosition,
  type NearbyDriver,
  type NearestOptions,
} from './driver-pool.js';

/** Made by `createDriverPool`. Without its class: one with private members is another type in the other module format. */
export type DriverPool = Pick<pool.DriverPool, keyof pool.DriverPool>;
