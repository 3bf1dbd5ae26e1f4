import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the cell of a project's numbers, if not the first one. Set when a project is created and never changed. */
export class ProjectCell1700000000002 implements MigrationInterface {
  readonly name = 'ProjectCell1700000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects ADD COLUMN cell text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE projects DROP COLUMN cell');
  }
}
