import {
  type DataSource,
  type EntityTarget,
  type FindOptionsWhere,
  In,
  LessThan,
  Raw,
  type Repository,
} from 'typeorm';
import type { Cells } from '../cells/cells.js';
import { badInput, GatewayError } from '../errors/gateway-error.js';
import { faultOfCode, mayBeCode } from './code.js';
import type { CodedRow } from './coded-row.js';

/** Input of `createProject` and its siblings. */
export interface NewCodedRow {
  readonly code: string;
  readonly name: string;
}

const NAME_LENGTH_MAX = 200;
/** How long a gateway may show a name that another one has changed. */
const NAME_AGE_MAX_MS = 60_000;

export interface CatalogOptions<Row> {
  readonly entity: EntityTarget<Row>;
  /** Noun for messages, such as `organization`. */
  readonly noun: string;
  readonly mint: () => bigint;
  /** Further columns of a new row. */
  readonly columnsOf?: (code: string) => Partial<Row>;
}

/**
 * The rows of one master data table. Rows are never removed, and only their names change, so they are cached once read:
 * every issued number needs three of them. Each cell has all of them.
 */
export class CodedCatalog<Row extends CodedRow> {
  readonly #byCode = new Map<string, Row>();
  readonly #byId = new Map<bigint, Row>();
  readonly #readAtMs = new Map<bigint, number>();
  /** Codes being looked up in PostgreSQL: concurrent callers share one query. */
  readonly #asked = new Map<string, Promise<Row | undefined>>();

  constructor(
    private readonly cells: Cells,
    private readonly options: CatalogOptions<Row>,
  ) {}

  get noun(): string {
    return this.options.noun;
  }

  /** Returns the row, synchronously if it is cached; undefined if there is none, which is not cached. */
  find(code: string): Row | undefined | Promise<Row | undefined> {
    const known = this.#byCode.get(code);
    if (known !== undefined) return known;
    const canonical = code.normalize('NFC');
    if (!mayBeCode(canonical)) return undefined;
    return this.#asked.get(canonical) ?? this.#ask(canonical);
  }

  /** Returns the row of an ID if it is cached. */
  known(id: bigint): Row | undefined {
    return this.#byId.get(id);
  }

  /** Like `find`, by ID. */
  findById(id: bigint): Row | undefined | Promise<Row | undefined> {
    return this.#byId.get(id) ?? this.findByIds([id]).then(([row]) => row);
  }

  /** @throws {GatewayError} UNKNOWN_CODE; nothing has been taken by then */
  async get(code: string): Promise<Row> {
    const row = await this.find(code);
    if (row !== undefined) return row;
    throw badInput(
      'UNKNOWN_CODE',
      `There is no ${this.noun} with this code; create it first or correct the code.`,
    );
  }

  /** Returns rows in the order of the IDs, with names as of a minute ago; undefined where there is none. */
  async findByIds(ids: readonly bigint[]): Promise<(Row | undefined)[]> {
    const since = performance.now() - NAME_AGE_MAX_MS;
    const unknown = ids.filter((id) => (this.#readAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < since);
    if (unknown.length > 0) {
      const where = { id: In(unknown) } as FindOptionsWhere<Row>;
      const rows = await this.#read((repository) => repository.findBy(where), unknown.length);
      for (const row of rows) this.#keep(row);
    }
    return ids.map((id) => this.#byId.get(id));
  }

  /** Returns the rows that exist, in no order, with one query for those that are not cached. */
  async findByCodes(codes: readonly string[]): Promise<Row[]> {
    const wanted = codes.map((code) => code.normalize('NFC'));
    const unknown = wanted.filter((code) => !this.#byCode.has(code) && mayBeCode(code));
    if (unknown.length > 0) {
      const where = { code: In(unknown) } as FindOptionsWhere<Row>;
      const rows = await this.#read((repository) => repository.findBy(where), unknown.length);
      for (const row of rows) this.#keep(row);
    }
    return wanted.flatMap((code) => this.#byCode.get(code) ?? []);
  }

  /**
   * Returns rows newest first; one more than requested shows whether there is a next page.
   *
   * @param page `start`: how their codes begin, in any case
   */
  async list(page: {
    readonly first: number;
    readonly after: bigint | undefined;
    readonly start: string;
  }): Promise<Row[]> {
    const { first, after, start } = page;
    const where = {
      ...(after !== undefined && { id: LessThan(after) }),
      ...(start !== '' && { code: Raw((code) => `starts_with(lower(${code}), lower(:start))`, { start }) }),
    } as FindOptionsWhere<Row>;
    return this.#read((repository) =>
      repository.find({ where, order: { id: 'DESC' } as never, take: first + 1 }),
    );
  }

  /** @throws {GatewayError} INVALID_CODE, INVALID_NAME, CODE_TAKEN */
  async create(given: NewCodedRow): Promise<Row> {
    const row = { ...given, code: given.code.normalize('NFC') };
    check(row);
    const created = await this.#insert(row);
    if (created !== undefined) return created;
    throw new GatewayError({
      code: 'FAILED_PRECONDITION',
      reason: 'CODE_TAKEN',
      message: `This ${this.noun} code already exists; use it, or choose another code.`,
    });
  }

  /** Changes the display name. @throws {GatewayError} UNKNOWN_CODE, INVALID_NAME */
  async rename({ code, name }: NewCodedRow): Promise<Row> {
    checkName(name);
    const row = await this.get(code);
    await this.cells.write(
      (dataSource) => this.#writeName(dataSource, row.id, name),
      (dataSource) => this.#followName(dataSource, row.id),
    );
    return this.#keep(Object.assign(Object.create(Object.getPrototypeOf(row)), row, { name }));
  }

  /**
   * Gives a row the name that the first cell has, until that one still has it afterwards: another gateway's later rename
   * can have come before one that waited until its cell was back.
   */
  async #followName(dataSource: DataSource, id: bigint): Promise<void> {
    const { dataSource: first } = this.cells.first.running.database;
    let written: string | undefined;
    for (;;) {
      const row = await first.getRepository(this.options.entity).findOneBy({ id } as FindOptionsWhere<Row>);
      if (row === null || row.name === written) return;
      written = row.name;
      await this.#writeName(dataSource, id, written);
    }
  }

  #writeName(dataSource: DataSource, id: bigint, name: string): Promise<unknown> {
    const where = { id } as FindOptionsWhere<Row>;
    return dataSource.getRepository(this.options.entity).update(where, { name } as never);
  }

  /** Returns the row of this code; creates it if there is none. */
  async ensure(row: NewCodedRow): Promise<Row> {
    return (await this.find(row.code)) ?? (await this.#insert(row)) ?? this.get(row.code);
  }

  #ask(code: string): Promise<Row | undefined> {
    const asking = this.#read((repository) => repository.findBy({ code } as FindOptionsWhere<Row>), 1)
      .then(([row]) => row && this.#keep(row))
      .finally(() => this.#asked.delete(code));
    this.#asked.set(code, asking);
    return asking;
  }

  #keep(row: Row): Row {
    this.#byCode.set(row.code, row);
    this.#byId.set(row.id, row);
    this.#readAtMs.set(row.id, performance.now());
    return row;
  }

  #read(ask: (repository: Repository<Row>) => Promise<Row[]>, wantedCount?: number): Promise<Row[]> {
    return this.cells.read((dataSource) => ask(dataSource.getRepository(this.options.entity)), wantedCount);
  }

  /**
   * Inserts the row and returns it, or undefined if there is one with this code. It is not read again: nothing may fail as
   * if it had not been created. The first cell decides which row has the code; the others get that row even if it existed:
   * one of them might have been unavailable when it was created.
   */
  async #insert({ code, name }: NewCodedRow): Promise<Row | undefined> {
    const { entity, mint, columnsOf } = this.options;
    const own = this.cells.first.running.database.dataSource.getRepository(entity).create();
    let row: Row = Object.assign(own, { id: mint(), code, name, ...columnsOf?.(code) });
    let isNew: boolean | undefined;
    const insertInto = async (dataSource: DataSource): Promise<void> => {
      const repository = dataSource.getRepository(entity);
      const insert = repository
        .createQueryBuilder()
        .insert()
        .values(row as never);
      const { raw } = await insert.orIgnore().returning('id').updateEntity(false).execute();
      isNew ??= raw.length > 0;
      if (!isNew && !this.cells.isOne) row = (await repository.findOneBy({ code } as never)) ?? row;
    };
    await this.cells.write(insertInto, async (dataSource) => {
      await insertInto(dataSource);
      // It can have been renamed before its cell was back.
      await this.#followName(dataSource, row.id);
    });
    return isNew ? this.#keep(row) : undefined;
  }
}

function check({ code, name }: NewCodedRow): void {
  const fault = faultOfCode(code);
  if (fault !== undefined) throw badInput('INVALID_CODE', fault);
  checkName(name);
}

function checkName(name: string): void {
  if (name.trim() === '' || name.length > NAME_LENGTH_MAX || name.includes('\0')) {
    throw badInput('INVALID_NAME', `A name must have 1 to ${NAME_LENGTH_MAX} characters.`);
  }
}
