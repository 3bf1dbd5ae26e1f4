import { type Adapter, hasMethods, plainValues } from './adapter.js';

/** Of `prisma.$transaction((tx) => …)`. Only the client outside it has `$connect`. */
export interface PrismaTransaction {
  $queryRawUnsafe(text: string, ...values: never[]): PromiseLike<unknown>;
  readonly $connect?: never;
}

/**
 * Prisma 6 and 7. All values are sent as text, because its engine encodes a value by the type of the placeholder, and
 * refuses text for any other; the statements cast them.
 */
export const prisma: Adapter = {
  recognizes: (handle) => hasMethods(handle, '$queryRawUnsafe'),
  session: (handle) => {
    if (hasMethods(handle, '$connect')) return undefined;
    const transaction = handle as unknown as PrismaTransaction;
    return {
      query: async ({ text, values }) => {
        const texts = plainValues(values).map((value) => (value === null ? null : String(value)));
        const inTexts = text.replaceAll(/\$(\d+)/g, '$$$1::text');
        const rows = (await transaction.$queryRawUnsafe(inTexts, ...(texts as never[]))) as object[];
        return { rows: rows.map(asPg), rowCount: rows.length };
      },
    };
  },
  transactionLine: 'prisma.$transaction((tx) => …), and pass tx',
  poolLine: 'a pg Pool: the one given to PrismaPg, or another on the same database',
};

/** BIGINT is text in `pg`. */
function asPg(row: object): object {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? String(value) : value,
  ]);
  return Object.fromEntries(entries);
}
