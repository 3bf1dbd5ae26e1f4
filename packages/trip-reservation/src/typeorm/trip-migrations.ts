import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrations, type TripMigration } from '../sql/migrations.js';

/** Orders these among the migrations of an application; TypeORM reads it off the end of the name. */
const FIRST_TIMESTAMP = 1_700_000_002_000;

/** Class names of TypeORM end with a timestamp, and a numbered file is one class. */
function migrationClass({ name, sql }: TripMigration, index: number): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = `Trips${name.replaceAll(/[^A-Za-z0-9]/g, '')}${FIRST_TIMESTAMP + index + 1}`;

    async up(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query(sql);
    }

    /** Reservations that were made are not thrown away by a roll-back. */
    async down(): Promise<void> {
      throw new Error(
        `${this.name} creates tables of reservations; drop them by hand if that is what you want`,
      );
    }
  };
}

/** For `migrations` of a DataSource: one class for each numbered SQL file. */
export const tripMigrations: readonly (new () => MigrationInterface)[] = migrations.map(migrationClass);
