export { migrateNodeLeases, nodeLeaseGrants, nodeLeaseMigrations } from './migrations.js';
export {
  type Allocator,
  type PostgresLeaseStoreOptions,
  pinAllocator,
  postgresLeaseStore,
} from './postgres-lease-store.js';
