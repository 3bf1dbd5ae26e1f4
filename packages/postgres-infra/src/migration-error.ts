/** A version was applied with another text than the program has: one of the two was changed after its release. */
export class MigrationChangedError extends Error {
  override readonly name = 'MigrationChangedError';
  readonly code = 'MIGRATION_CHANGED';
  readonly retryable = false;

  constructor(
    readonly packageName: string,
    readonly version: string,
  ) {
    super(
      `${packageName}: version ${version} of the database was made by another text than this program has; ` +
        'put the released text back, and make what you want to change a version of its own',
    );
  }
}

/** The database was migrated by a newer program, and to a version that this one cannot work with. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
  readonly code = 'SCHEMA_TOO_NEW';
  readonly retryable = false;
  /** The version that the database has. */
  readonly version: string;
  /** The version that a program must know to work with it. */
  readonly needed: string;
  /** The newest version that this program knows. */
  readonly newest: string;

  constructor(
    readonly packageName: string,
    { version, needed, newest }: { version: string; needed: string; newest: string },
  ) {
    super(
      `${packageName}: the database has version ${version}, which needs a program that knows ${needed}; ` +
        `this one knows ${newest === '' ? 'none' : newest}. Start a newer program`,
    );
    this.version = version;
    this.needed = needed;
    this.newest = newest;
  }
}
