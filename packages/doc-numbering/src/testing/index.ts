import type * as database from './test-database.js';

export { type TestNumbering, type TestNumberingOptions, testNumbering } from './test-numbering.js';

/**
 * The database of a {@link TestNumbering}. A type without its class: a class with private members is a different type in
 * each module format.
 */
export type TestDatabase = Pick<database.TestDatabase, keyof database.TestDatabase>;
