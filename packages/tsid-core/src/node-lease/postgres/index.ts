export { migrateNodeLeases, nodeLeaseGrants, nodeLeaseMigrations, nodeLeaseTables } from './migrations.js';
export {
  type Allocator,
  type PostgresLeaseStoreOptions,
  pinAllocator,
  postgresLeaseStore,
} from './postgres-lease-store.js';
