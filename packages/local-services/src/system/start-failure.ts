/** The server could not be started; `log` is its whole output. */
export class ServerStartError extends Error {
  readonly code = 'SERVER_START';

  constructor(
    readonly service: string,
    reason: string,
    readonly log: string,
    options?: ErrorOptions,
  ) {
    super(`${service} did not start: ${reason}${log === '' ? '' : `\n${log}`}`, options);
    this.name = 'ServerStartError';
  }
}

/**
 * Another server is running on this data directory. It was left alone: stop it first, or choose another directory.
 */
export class DataInUseError extends Error {
  readonly code = 'DATA_IN_USE';

  constructor(
    readonly service: string,
    readonly dataDir: string,
    options?: ErrorOptions,
  ) {
    super(
      `${service} is already running on ${dataDir}; it was not touched. ` +
        'End the other instance first, or start from another checkout.',
      options,
    );
    this.name = 'DataInUseError';
  }
}

/**
 * The data belongs to another user, usually because the last start was as root. It was not changed.
 */
export class DataForeignError extends Error {
  readonly code = 'DATA_FOREIGN';

  constructor(
    readonly dataDir: string,
    readonly ownerUid: number,
  ) {
    super(
      `${dataDir} belongs to another user (ID ${ownerUid}). ` +
        'Start as that user or as root, or remove the directory to begin with empty data.',
    );
    this.name = 'DataForeignError';
  }
}

/** No server program for this machine; the message says what to install or which URL to set instead. */
export class ProgramMissingError extends Error {
  readonly code = 'PROGRAM_MISSING';

  constructor(
    readonly program: string,
    advice: string,
    options?: ErrorOptions,
  ) {
    super(`${program} is not available on this machine. ${advice}`, options);
    this.name = 'ProgramMissingError';
  }
}

/** The operating system has no account for this user ID; PostgreSQL refuses to run without one. */
export class AccountMissingError extends Error {
  readonly code = 'ACCOUNT_MISSING';

  constructor(
    readonly uid: number,
    options?: ErrorOptions,
  ) {
    super(
      `User ID ${uid} has no entry in /etc/passwd, and PostgreSQL refuses to run without one. ` +
        'Start as a named user, or set DATABASE_URL to a PostgreSQL that runs elsewhere.',
      options,
    );
    this.name = 'AccountMissingError';
  }
}

/** We are root but not allowed to become another user, as in some containers. */
export class AccountSwitchError extends Error {
  readonly code = 'ACCOUNT_SWITCH';

  constructor(readonly uid: number) {
    super(
      `Servers must not run as root, and this root is not allowed to become the user with ID ${uid}. ` +
        'Start as a plain user, or set DATABASE_URL and REDIS_URL to servers that run elsewhere.',
    );
    this.name = 'AccountSwitchError';
  }
}
