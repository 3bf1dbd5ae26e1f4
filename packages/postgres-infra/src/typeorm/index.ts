export { type MigrationClass, migrationClasses } from './migration-classes.js';
export { typeormSession } from './typeorm-session.js';
