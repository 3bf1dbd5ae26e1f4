export {
  DriverActiveEntity,
  type DriverActiveRecord,
  TripAttemptEntity,
  type TripAttemptRecord,
  TripEntity,
  TripOutboxEntity,
  type TripOutboxRecord,
  type TripRecord,
} from './entities.js';
export { tripMigrations } from './trip-migrations.js';
export { typeormSession } from './typeorm-session.js';
