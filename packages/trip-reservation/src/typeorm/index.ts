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
export { tripMigrations } from './migrations.js';
