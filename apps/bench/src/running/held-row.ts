import pg from 'pg';

/** A row that another application locks, over a connection of its own. */
export class HeldRow {
  readonly #client: pg.Client;

  private constructor(client: pg.Client) {
    this.#client = client;
  }

  /** Locks what `select` finds until it is let go. */
  static async lock(connectionString: string, select: string, values: readonly unknown[]): Promise<HeldRow> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query('BEGIN');
    await client.query(`${select} FOR UPDATE`, [...values]);
    return new HeldRow(client);
  }

  async letGo(): Promise<void> {
    await this.#client.query('ROLLBACK');
    await this.#client.end();
  }
}
