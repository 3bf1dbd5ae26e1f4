/**
 * Libraries as an application uses them: each opens a database and returns how to run work in a transaction, how to run
 * a statement in it (`run`), and, if it gives out connections, its instance (`database`).
 */

const pgPool = async (connectionString) => {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({ connectionString, max: 10 });
  pool.on('error', () => undefined);
  return pool;
};

const prismaClient = async (connectionString) => {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { default: prisma } = await import('@prisma/client');
  return new prisma.PrismaClient({ adapter: new PrismaPg({ connectionString }) });
};

export const LIBRARIES = {
  pg: async (url) => {
    const pool = await pgPool(url);
    return {
      database: pool,
      run: (transaction, text) => transaction.query(text),
      transact: async (work) => {
        const client = await pool.connect();
        try {
          await client.query('BEGIN');
          const result = await work(client);
          await client.query('COMMIT');
          return result;
        } catch (error) {
          await client.query('ROLLBACK');
          throw error;
        } finally {
          client.release();
        }
      },
      close: () => pool.end(),
    };
  },
  prisma: async (url) => {
    const prisma = await prismaClient(url);
    return {
      run: (transaction, text) => transaction.$executeRawUnsafe(text),
      transact: (work) => prisma.$transaction(work, { maxWait: 30_000, timeout: 30_000 }),
      close: () => prisma.$disconnect(),
    };
  },
  drizzle: async (url) => {
    const { drizzle } = await import('drizzle-orm/node-postgres');
    const { sql } = await import('drizzle-orm');
    const pool = await pgPool(url);
    const database = drizzle({ client: pool });
    return {
      database,
      run: (transaction, text) => transaction.execute(sql.raw(text)),
      transact: (work) => database.transaction(work),
      close: () => pool.end(),
    };
  },
  'drizzle over postgres.js': async (url) => {
    const { drizzle } = await import('drizzle-orm/postgres-js');
    const { sql } = await import('drizzle-orm');
    const { default: postgres } = await import('postgres');
    const client = postgres(url, { max: 10, onnotice: () => undefined });
    const database = drizzle({ client });
    return {
      run: (transaction, text) => transaction.execute(sql.raw(text)),
      transact: (work) => database.transaction(work),
      close: () => client.end({ timeout: 1 }),
    };
  },
  kysely: async (url) => {
    const { CamelCasePlugin, Kysely, PostgresDialect, sql } = await import('kysely');
    const pool = await pgPool(url);
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
    return {
      run: (transaction, text) => sql.raw(text).execute(transaction),
      transact: (work) => kysely.transaction().execute(work),
      close: () => kysely.destroy(),
    };
  },
  knex: async (url) => {
    const { default: knexOf } = await import('knex');
    const knex = knexOf({ client: 'pg', connection: url, pool: { min: 0, max: 10 } });
    return {
      database: knex,
      run: (transaction, text) => transaction.raw(text),
      transact: (work) => knex.transaction(work),
      close: () => knex.destroy(),
    };
  },
  sequelize: async (url) => {
    const { Sequelize } = await import('sequelize');
    const sequelize = new Sequelize(url, { logging: false, pool: { max: 10 } });
    return {
      database: sequelize,
      run: (transaction, text) => sequelize.query(text, { transaction }),
      transact: (work) => sequelize.transaction({ isolationLevel: null }, work),
      close: () => sequelize.close(),
    };
  },
  typeorm: async (url) => {
    const { DataSource } = await import('typeorm');
    const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
    return {
      database: dataSource,
      run: (manager, text) => manager.query(text),
      transact: (work) => dataSource.transaction(work),
      close: () => dataSource.destroy(),
    };
  },
  'typeorm runner': async (url) => {
    const { DataSource } = await import('typeorm');
    const dataSource = await new DataSource({ type: 'postgres', url }).initialize();
    return {
      run: (runner, text) => runner.query(text),
      transact: async (work) => {
        const runner = dataSource.createQueryRunner();
        await runner.startTransaction();
        try {
          const result = await work(runner);
          await runner.commitTransaction();
          return result;
        } catch (error) {
          await runner.rollbackTransaction();
          throw error;
        } finally {
          await runner.release();
        }
      },
      close: () => dataSource.destroy(),
    };
  },
  'postgres.js': async (url) => {
    const { default: postgres } = await import('postgres');
    const sql = postgres(url, { max: 10, onnotice: () => undefined });
    return {
      run: (transaction, text) => transaction.unsafe(text),
      transact: (work) => sql.begin(work),
      close: () => sql.end({ timeout: 1 }),
    };
  },
};
