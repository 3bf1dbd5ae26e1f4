import { type Deadline, settleBy } from '@solegate/postgres-infra';
import type { CodeDirectory, CodeQuery } from '../contract/numbering.js';
import { CodesSilentError } from '../contract/numbering-error.js';
import type { Series } from '../contract/series.js';
import type { FixedCodes } from './series-catalog.js';

/** Share of the remaining time that a look-up can take: what follows it needs time, too. */
const LOOKUP_SHARE = 0.9;

/** Asks the application's directory, until shortly before the deadline. @throws CodesSilentError */
export function findCode(
  codes: CodeDirectory,
  query: CodeQuery,
  deadline: Deadline,
): string | undefined | Promise<string | undefined> {
  const found = codes.find(query);
  if (!(found instanceof Promise)) return found;
  const bound = deadline.atMost(deadline.leftMs * LOOKUP_SHARE);
  return settleBy(found, bound, () => new CodesSilentError(query.token));
}

/** References of the codes that are the same in every number of a series. */
export const fixedReferences = ({ space, series }: Pick<Series, 'space' | 'series'>) => {
  return { PROJECT: space, TYPE: series };
};

/** Returns a function that finds those codes, as far as the directory knows them, and asks for each only once. */
export function fixedCodesBy(
  codes: CodeDirectory | undefined,
  deadline: Deadline,
): (series: Series) => Promise<FixedCodes> {
  const asked = new Map<string, Promise<string>>();
  const find = async (query: CodeQuery): Promise<string> =>
    (codes && (await findCode(codes, query, deadline))) ?? query.reference;
  return async (series) => {
    const { space } = series;
    const found: Record<string, string> = {};
    for (const [token, reference] of Object.entries(fixedReferences(series))) {
      const key = JSON.stringify([space, token, reference]);
      const asking = asked.get(key) ?? find({ space, token, reference });
      asked.set(key, asking);
      found[token] = await asking;
    }
    return found;
  };
}
