import { Deadline, type SqlSession } from '@solegate/postgres-infra';
import { checkCodes, checkText } from '../contract/checks.js';
import type { CodeDirectory, CodeQuery } from '../contract/numbering.js';
import {
  CodesSilentError,
  InvalidRequestError,
  NumberingError,
  PeriodClosedError,
} from '../contract/numbering-error.js';
import type { PrintedAddress } from '../contract/requests.js';
import type { Series } from '../contract/series.js';
import { NoFormatError, SeriesBlockedError, UnknownCodeError } from '../contract/series-error.js';
import type { CompiledFormat } from '../format/compiled-format.js';
import { businessDate, periodOf } from '../format/period.js';
import { codeProblem, type TokenRegistry } from '../format/token.js';
import { findCode, fixedReferences } from '../series/code-lookups.js';
import type { CatalogEntry, SeriesCatalog } from '../series/series-catalog.js';
import { type ResolvedRequest, resolvedFrom } from './resolved-request.js';

type Codes = Readonly<Record<string, string>>;

/** Much of a request can be resolved without waiting. */
type Awaitable<Value> = Value | Promise<Value>;

export interface ResolveOptions {
  /** Allow any open period, as if the request had set `otherPeriod`. */
  readonly anyPeriod?: boolean;
  /** Read the rules again, because those in memory are out of date. Default `false`. */
  readonly isStale?: boolean;
  /** If memory is not enough, read series and formats through this session, as it sees them, and use no other. */
  readonly session?: SqlSession | undefined;
  /** When look-ups of codes and rules have to end. Default: `requestTimeoutMs` from now. */
  readonly deadline?: Deadline | undefined;
}

export interface ResolverOptions {
  readonly catalog: SeriesCatalog;
  readonly registry: TokenRegistry;
  readonly codes: CodeDirectory | undefined;
  readonly now: () => number;
  readonly requestTimeoutMs: number;
}

/** A resolved request, its references by token name, and the codes that were found for them. */
interface WorkedRequest {
  readonly references: Codes;
  readonly codes: Codes;
  readonly resolved: ResolvedRequest;
}

/** Most distinct requests whose results are remembered for one series. */
const WORKED_MAX = 20_000;

/**
 * Resolves a request to a counter, a format version and the text around the sequence. Everything that can be refused
 * without a lock is refused here. Codes are looked up for every request; the result for the same input, codes and date
 * under the same rules is computed once.
 */
export class RequestResolver {
  readonly #options: ResolverOptions;
  /** By date, dimensions and fields as given in requests; dropped with the rules that they depend on. */
  readonly #worked = new WeakMap<CatalogEntry, Map<string, WorkedRequest>>();

  constructor(options: ResolverOptions) {
    this.#options = options;
  }

  /** @throws NumberingError: malformed, unknown, closed, no format; the rules are read again before a refusal */
  resolve(request: PrintedAddress, options: ResolveOptions = {}): Awaitable<ResolvedRequest> {
    const space = checkText('space', request.space, 100);
    const series = checkText('series', request.series, 50);
    const { catalog, requestTimeoutMs } = this.#options;
    const { session, isStale = false, deadline = Deadline.after(requestTimeoutMs) } = options;
    const reload = async () => {
      const read = session ? catalog.load(session, space, series) : catalog.reload(space, series, deadline);
      return this.#resolveBy(await read, request, options);
    };
    const known = isStale ? undefined : catalog.entries.get(`${space}\n${series}`);
    if (!known) return reload();
    const reloadAfter = (error: unknown) => {
      if (error instanceof NumberingError && !(error instanceof CodesSilentError)) return reload();
      throw error;
    };
    try {
      const resolved = this.#resolveBy(known, request, options);
      return resolved instanceof Promise ? resolved.catch(reloadAfter) : resolved;
    } catch (error) {
      return reloadAfter(error);
    }
  }

  /** Resolves the request by the current rules, on the date it was resolved for. @throws NumberingError as `resolve` */
  resolveAgain(
    request: PrintedAddress,
    { date }: ResolvedRequest,
    options: Pick<ResolveOptions, 'deadline' | 'session'>,
  ) {
    return this.resolve({ ...request, date }, { ...options, anyPeriod: true, isStale: true });
  }

  #resolveBy(
    entry: CatalogEntry,
    request: PrintedAddress,
    { anyPeriod = false, deadline }: ResolveOptions,
  ): Awaitable<ResolvedRequest> {
    const { series, calendar } = entry;
    if (series.blocked !== undefined)
      throw new SeriesBlockedError(series.space, series.series, series.blocked);
    const today = calendar.dateAt(this.#options.now());
    const date = request.date === undefined ? today : businessDate(request.date, calendar);
    const isAllowed = date === today || anyPeriod || request.otherPeriod === true;
    if (!isAllowed || series.closedUntil !== undefined || series.openUntil !== undefined)
      refuseClosed(series, date, isAllowed ? date : today);
    const key = `${date}\n${JSON.stringify(request.dimensions)}\n${JSON.stringify(request.fields)}`;
    const known = this.#worked.get(entry)?.get(key);
    if (known && !this.#options.codes) return known.resolved;
    const format = entry.formats.find(({ facts }) => (facts.validFrom ?? '') <= date);
    if (!format) throw new NoFormatError(series.space, series.series, date);
    const references = known?.references ?? this.#referencesOf(series, format, request);
    const finish = (codes: Codes): ResolvedRequest => {
      if (known && isSame(known.codes, codes)) return known.resolved;
      const resolved = resolvedFrom({ series, format, date, codes });
      const worked = this.#worked.get(entry) ?? new Map<string, WorkedRequest>();
      if (worked.size >= WORKED_MAX) worked.clear();
      this.#worked.set(entry, worked.set(key, { references, codes, resolved }));
      return resolved;
    };
    const codes = this.#codesOf(series, references, deadline);
    return codes instanceof Promise ? codes.then(finish) : finish(codes);
  }

  #codesOf(series: Series, references: Codes, deadline: Deadline | undefined): Awaitable<Codes> {
    const tokens = Object.keys(references);
    const found = tokens.map((token) => {
      try {
        return this.#find(
          series,
          { space: series.space, token, reference: references[token] ?? '' },
          deadline,
        );
      } catch (error) {
        // Not thrown: the look-ups before it have begun, and somebody has to hear of their failure.
        return Promise.reject(error);
      }
    });
    const checked = (codes: readonly (string | undefined)[]): Codes =>
      Object.fromEntries(
        tokens.map((token, at) => [token, this.#check(token, references[token] ?? '', codes[at])]),
      );
    return areAtHand(found) ? checked(found) : Promise.all(found.map(async (code) => code)).then(checked);
  }

  #find(
    { dimensions }: Series,
    query: CodeQuery,
    deadline: Deadline | undefined,
  ): Awaitable<string | undefined> {
    const { codes, requestTimeoutMs } = this.#options;
    const { token, reference } = query;
    // The code for "none" is a rule of the series, not a row of the app.
    const isNone = dimensions.some((one) => one.token === token && one.none === reference);
    if (!codes || token === 'AUTHORITY' || isNone) return reference;
    return findCode(codes, query, deadline ?? Deadline.after(requestTimeoutMs));
  }

  #check(token: string, reference: string, code: string | undefined): string {
    if (code === undefined) throw new UnknownCodeError(token, reference, 'is not known');
    const definition = this.#options.registry.find(token);
    const problem = definition && codeProblem(definition, code);
    if (problem) throw new UnknownCodeError(token, reference, problem);
    if (code.normalize('NFC') !== code) {
      throw new UnknownCodeError(token, reference, 'is not in Unicode normal form C');
    }
    return code;
  }

  /** Returns the request's reference for each token that counts or is printed, dimensions first. */
  #referencesOf(series: Series, format: CompiledFormat, request: PrintedAddress): Codes {
    const dimensions = this.#byToken('dimensions', request.dimensions);
    const fields = this.#byToken('fields', request.fields);
    const references: Record<string, string> = {};
    for (const { token, none } of series.dimensions) {
      const reference = dimensions[token] ?? fields[token] ?? none;
      if (reference === undefined)
        throw new UnknownCodeError(token, undefined, 'for a dimension of the series');
      references[token] = reference;
    }
    for (const token of Object.keys(dimensions)) {
      if (!(token in references)) throw new InvalidRequestError('dimensions', `the series has no ${token}`);
    }
    // An authority assigns its code, so the app's directory is not queried; it can change, so no format relies on it.
    const fixed = new Map(Object.entries({ ...fixedReferences(series), AUTHORITY: series.authorityCode }));
    for (const token of format.codeNames) {
      const reference = references[token] ?? fixed.get(token) ?? fields[token];
      if (reference === undefined)
        throw new UnknownCodeError(token, undefined, 'for the format; pass it in fields');
      references[token] = reference;
    }
    return references;
  }

  #byToken(field: string, given: Readonly<Record<string, string>> | undefined): Codes {
    const byToken: Record<string, string> = {};
    const codes = checkCodes(field, given);
    for (const name in codes) {
      const token = this.#options.registry.find(name);
      if (!token) throw new InvalidRequestError(field, `unknown token ${name}`);
      if (token.name in byToken) throw new InvalidRequestError(field, `${token.name} is given twice`);
      byToken[token.name] = checkText(`${field}.${name}`, codes[name], 100);
    }
    return byToken;
  }
}

const areAtHand = (
  codes: readonly Awaitable<string | undefined>[],
): codes is readonly (string | undefined)[] => codes.every((code) => !(code instanceof Promise));

const isSame = (a: Codes, b: Codes): boolean => {
  for (const token in b) if (a[token] !== b[token]) return false;
  return true;
};

/** Refuses a date outside the current period, and one that is not open. */
function refuseClosed(series: Series, date: string, today: string): void {
  const { closedUntil, openUntil } = series;
  const refuse = (problem: string): never => {
    throw new PeriodClosedError(periodOf(date, series), problem);
  };
  if (date !== today && periodOf(date, series) !== periodOf(today, series)) {
    refuse('is not the current one; set otherPeriod if the actor is allowed to use it');
  }
  if (closedUntil !== undefined && date <= closedUntil) refuse(`is closed through ${closedUntil}`);
  if (openUntil !== undefined && date > openUntil) refuse(`is open only through ${openUntil}`);
}
