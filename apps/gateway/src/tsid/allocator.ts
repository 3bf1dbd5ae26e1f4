import { Column, Entity } from 'typeorm';

/** The single row that names the allocator of node IDs; read and written by allocator-pin.ts. */
@Entity({ name: 'tsid_allocator' })
export class Allocator {
  @Column({ type: 'boolean', name: 'only_one', primary: true, default: true })
  onlyOne!: boolean;

  @Column({ type: 'text', name: 'allocator_id' })
  allocatorId!: string;
}
