import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the numbers of a project are, if not in the first PostgreSQL. Written when it is created and never changed. */
export class ProjectCell1700000000002 implements MigrationInterface {
  readonly name = 'ProjectCell1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects ADD COLUMN cell text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects DROP COLUMN cell');
  }
}
