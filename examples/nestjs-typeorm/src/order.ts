import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Column, Entity, type MigrationInterface, type QueryRunner } from 'typeorm';

/** Its key is a TSID: made here, not by PostgreSQL, and sorted by time. */
@Entity('orders')
export class Order {
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Column('text')
  customer!: string;
}

export class CreateOrders1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE orders (id bigint PRIMARY KEY, customer text NOT NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE orders');
  }
}
