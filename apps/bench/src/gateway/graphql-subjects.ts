import { setTimeout as delay } from 'node:timers/promises';
import { issued } from '../numbers/subjects/numbers-request.js';
import { type TripAnswer, type TripsRun, tripRequest, tripsRun } from '../trips/trips-request.js';
import type { OpenSubject, Subject, SubjectSetup, SubjectTable } from '../workers/subject.js';
import { GraphqlClient, GraphqlRequestError } from './graphql-client.js';
import { ACCEPT_TRIP, CREATE_CORRESPONDENCE, ISSUE_NUMBER, MINT_IDS } from './graphql-operations.js';

/**
 * Opens a client of running gateways. `targets` and `headers` are facts; the project or trip of a run is set before
 * each run.
 */
function openClient(setup: SubjectSetup, timeoutMs?: number): GraphqlClient {
  return new GraphqlClient({
    targets: String(setup.facts.targets).split(' '),
    headers: JSON.parse(String(setup.facts.headers ?? '{}')) as Record<string, string>,
    parallel: Number(setup.facts.parallel ?? 100),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });
}

/** The control switch's sabotage: a cache in front of the gateways that returns one answer in fifty twice. */
function withMixedAnswers<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let count = 0;
  let last: Answer | undefined;
  return async () => {
    count += 1;
    if (count % 50 === 0 && last !== undefined) return last;
    last = await ask();
    return last;
  };
}

interface IssueAnswer {
  readonly issueDocumentNumber: { readonly number: string; readonly sequence: number };
}

interface CreateAnswer {
  readonly createCorrespondence: { readonly documentNumber: string };
}

/** Callers of one mutation, each of whose answers has a number. */
function numbering<Answer>(
  query: string,
  sequenceOf: (answer: Answer) => number,
  content: Readonly<Record<string, string>> = {},
): OpenSubject {
  return async (setup) => {
    const client = openClient(setup);
    let input: Readonly<Record<string, string | number>> = {};
    const request = () => client.ask<Answer>({ query, variables: { input } });
    const ask = setup.sabotaged ? withMixedAnswers(request) : request;
    return {
      prepare: async (_round, facts) => {
        input = { ...facts, ...content };
      },
      request: async () => issued(String(input.projectCode), sequenceOf(await ask())),
      close: async () => client.close(),
    };
  };
}

const openIssue = numbering<IssueAnswer>(
  ISSUE_NUMBER,
  ({ issueDocumentNumber }) => issueDocumentNumber.sequence,
);

const openCreate = numbering<CreateAnswer>(
  CREATE_CORRESPONDENCE,
  ({ createCorrespondence }) => Number(createCorrespondence.documentNumber.split('-').at(-1)),
  { subject: 'Created by the bench' },
);

/** Codes after which a client can repeat a request with the same key: no answer, or an unknown outcome. */
const REPEATABLE = new Set(['SERVICE_UNAVAILABLE', 'OUTCOME_UNKNOWN', 'CONTENTION', 'NOT_GRAPHQL']);
const REPEAT_MAX = 20;
/** Grows with every retry: clients that all retry immediately would keep a struggling gateway down. */
const REPEAT_PAUSE_MS = 50;
/** Timeout of one attempt: with several gateways, a user does not wait long for one of them. */
const PATIENCE_MS = 1000;

/**
 * A client as the product's documentation recommends it: every request has a key, and an unanswered request is repeated
 * with the same key at the next gateway.
 */
const openPatientIssue: OpenSubject = async (setup) => {
  const client = openClient(setup, PATIENCE_MS);
  let input: Readonly<Record<string, string | number>> = {};
  const ask = async (idempotencyKey: string): Promise<IssueAnswer> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await client.ask<IssueAnswer>({
          query: ISSUE_NUMBER,
          variables: { input: { ...input, idempotencyKey } },
        });
      } catch (error) {
        if (!isRepeatable(error) || attempt === REPEAT_MAX) throw error;
        await delay(REPEAT_PAUSE_MS * attempt);
      }
    }
  };
  return {
    prepare: async (_round, facts) => {
      input = facts;
    },
    request: async ({ sequence }) => {
      const { issueDocumentNumber } = await ask(`${setup.worker}-${sequence}`);
      const answer = issued(String(input.projectCode), issueDocumentNumber.sequence);
      return setup.sabotaged && sequence % 50 === 49 ? { ...answer, sequence: answer.sequence - 1 } : answer;
    },
    close: async () => client.close(),
  };
};

/** System error codes (ECONNREFUSED, ECONNRESET …) mean that there was no answer. */
function isRepeatable(error: unknown): boolean {
  if (!(error instanceof GraphqlRequestError)) return false;
  return REPEATABLE.has(error.code) || error.code === 'TRANSPORT' || /^E[A-Z]+$/.test(error.code);
}

interface AcceptAnswer {
  readonly acceptTrip: { readonly __typename: string };
}

const openAccept: OpenSubject = async (setup): Promise<Subject> => {
  const client = openClient(setup);
  let run: TripsRun | undefined;
  let tripIds: readonly string[] = [];
  return {
    prepare: async (_round, facts) => {
      run = tripsRun(facts);
      tripIds = String(facts.tripIds).split(' ');
    },
    request: async ({ sequence }) => {
      if (run === undefined) throw new Error('no run was prepared');
      const { trip, driver } = tripRequest(run, sequence, setup);
      const { acceptTrip } = await client.ask<AcceptAnswer>({
        query: ACCEPT_TRIP,
        variables: { input: { tripId: tripIds[trip - run.firstTripId], offerEpoch: 1 } },
        headers: { 'x-demo-user': `driver-${driver}` },
      });
      const kind = kindOf(acceptTrip);
      // The control switch gives every fifth driver the winner's answer.
      return { kind: setup.sabotaged && driver % 5 === 0 ? 'won' : kind, trip, driver };
    },
    close: async () => client.close(),
  };
};

function kindOf({ __typename }: AcceptAnswer['acceptTrip']): TripAnswer['kind'] {
  if (__typename === 'TripAccepted') return 'won';
  if (__typename === 'TripTaken') return 'lost';
  if (__typename === 'TripUndecided') return 'behind';
  return __typename === 'DriverBusy' ? 'busy' : 'refused';
}

interface MintAnswer {
  readonly generateTsids: { readonly ids: readonly string[] };
}

const openMint: OpenSubject = async (setup) => {
  const client = openClient(setup);
  const mint = () => client.ask<MintAnswer>({ query: MINT_IDS, variables: { count: 1 } });
  const ask = setup.sabotaged ? withMixedAnswers(mint) : mint;
  return {
    request: async () => ({ kind: 'answered', id: (await ask()).generateTsids.ids[0] ?? '' }),
    close: async () => client.close(),
  };
};

export const subjects = {
  issue: openIssue,
  'issue, repeated': openPatientIssue,
  create: openCreate,
  accept: openAccept,
  mint: openMint,
} satisfies SubjectTable;
