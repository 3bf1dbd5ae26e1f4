export { type MigrationClass, migrationClasses } from './migration-classes.js';
