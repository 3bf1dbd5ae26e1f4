import { TsidScalar } from '@solegate/tsid-core/graphql';
import { tsidPrimaryColumn } from '@solegate/tsid-core/typeorm';
import { Column, Entity, In, Raw } from 'typeorm';
import type { Cell } from '../cells/cell.js';
import type { Cells } from '../cells/cells.js';
import { Field } from '../graphql/described.js';
import { ObjectType } from '../graphql/fields.js';
import type { Identity } from '../identity/identity.js';

@ObjectType('A rider, driver or clerk.')
@Entity({ name: 'people' })
export class Person {
  @Field(() => TsidScalar, 'Unique ID (TSID); the subject of their tokens.')
  @Column(tsidPrimaryColumn())
  id!: bigint;

  @Field(() => String, 'Display name.')
  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', default: () => 'now()' })
  createdAt!: Date;
}

/** Most names that a process remembers to have written to a cell. */
const NAMES_MAX = 10_000;

/** The people of all tokens that state a name. Each cell has all of them. */
export class People {
  readonly #namesIn: ReadonlyMap<Cell, Map<bigint, string>>;

  constructor(private readonly cells: Cells) {
    this.#namesIn = new Map(cells.all.map((cell) => [cell, new Map()]));
  }

  /**
   * Stores the caller's name where this process has not yet, in the background: callers that need no PostgreSQL never wait
   * for it. Nothing is queued for a cell that is away: the next verification of a token after it is back tries again.
   */
  keep({ subjectId: id, name }: Identity): void {
    if (name === undefined) return;
    for (const [cell, names] of this.#namesIn) {
      if (!cell.isUp || names.get(id) === name) continue;
      if (names.size >= NAMES_MAX) names.clear();
      names.set(id, name);
      const insert = cell.running.database.dataSource.createQueryBuilder().insert().into(Person);
      insert
        .values({ id, name })
        .orUpdate(['name'], ['id'], { skipUpdateIfNoValuesChanged: true })
        .execute()
        .catch(() => names.delete(id));
    }
  }

  /** Returns rows in the order of the IDs; undefined where there is none. */
  async findByIds(ids: readonly bigint[]): Promise<(Person | undefined)[]> {
    const people = await this.cells.read((dataSource) =>
      dataSource.getRepository(Person).findBy({ id: In([...ids]) }),
    );
    const byId = new Map(people.map((person) => [person.id, person]));
    return ids.map((id) => byId.get(id));
  }

  /** Returns people whose names begin with a text, in any case, in the order of their names. */
  async findByName(start: string, countMax: number): Promise<Person[]> {
    const name = Raw((column) => `starts_with(lower(${column}), lower(:start))`, { start });
    return this.cells.read((dataSource) =>
      dataSource.getRepository(Person).find({ where: { name }, order: { name: 'ASC' }, take: countMax }),
    );
  }
}
