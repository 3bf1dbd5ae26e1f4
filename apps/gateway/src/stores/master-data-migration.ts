import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const sql = readFileSync(new URL('../../sql/0001-master-data.sql', import.meta.url), 'utf8');

/** The gateway's own tables, which refer to nothing of the packages. */
export class MasterData1700000000001 implements MigrationInterface {
  readonly name = 'MasterData1700000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE tsid_allocator, correspondences, people, disciplines, correspondence_types, organizations, projects',
    );
  }
}
