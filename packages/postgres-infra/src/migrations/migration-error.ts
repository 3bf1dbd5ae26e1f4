/** A version was applied with a different text than the program has: one of the two was changed after its release. */
export class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';
  readonly code = 'MIGRATION_CHANGED';
  readonly retryable = false;

  constructor(
    readonly packageName: string,
    readonly version: string,
  ) {
    super(
      `${packageName}: version ${version} was applied to the database with a different text than this program has; ` +
        'restore the released text, and make your change in a new version',
    );
  }
}

/** A newer program has migrated the database to a version that this one cannot use. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
  readonly code = 'SCHEMA_TOO_NEW';
  readonly retryable = false;
  /** The database's version. */
  readonly version: string;
  /** The oldest version that a program must include to work with it. */
  readonly needed: string;
  /** The newest version that this program includes. */
  readonly newest: string;

  constructor(
    readonly packageName: string,
    { version, needed, newest }: { version: string; needed: string; newest: string },
  ) {
    super(
      `${packageName}: the database has version ${version}, which requires a program that includes ${needed}; ` +
        `this one includes ${newest === '' ? 'none' : newest}. Start a newer program`,
    );
    this.version = version;
    this.needed = needed;
    this.newest = newest;
  }
}
