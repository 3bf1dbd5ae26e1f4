import { issued } from '../numbers/subjects/numbers-request.js';
import { type TripAnswer, tripsSubject } from '../trips/trips-request.js';
import type { Facts, OpenSubject, SubjectSetup, SubjectTable } from '../workers/subject.js';
import { GraphqlClient } from './graphql-client.js';
import { ACCEPT_TRIP, CREATE_CORRESPONDENCE, ISSUE_NUMBER, MINT_IDS } from './graphql-operations.js';

/**
 * Opens a client of running gateways. `targets` and `headers` are facts; the project or trip of a run is set before
 * each run.
 */
function openClient(setup: SubjectSetup): GraphqlClient {
  return new GraphqlClient({
    targets: String(setup.facts.targets).split(' '),
    headers: JSON.parse(String(setup.facts.headers ?? '{}')) as Record<string, string>,
    parallel: Number(setup.facts.parallel ?? 100),
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
    let input: Facts = {};
    const request = () => client.ask<Answer>({ query, variables: { input } });
    const ask = setup.sabotaged ? withMixedAnswers(request) : request;
    return {
      prepare: async (_round, facts) => {
        input = { ...facts, ...content };
      },
      request: async () => issued(String(input.projectCode), sequenceOf(await ask())),
      close: async () => client[Symbol.dispose](),
    };
  };
}

interface AcceptAnswer {
  readonly acceptTrip: { readonly __typename: string };
}

const openAccept: OpenSubject = async (setup) => {
  const client = openClient(setup);
  let firstTripId = 0;
  let tripIds: readonly string[] = [];
  const accept = async (trip: number, driver: number) => {
    const { acceptTrip } = await client.ask<AcceptAnswer>({
      query: ACCEPT_TRIP,
      variables: { input: { tripId: tripIds[trip - firstTripId], offerEpoch: 1 } },
      headers: { 'x-demo-user': `driver-${driver}` },
    });
    // The control switch gives every fifth driver the winner's answer.
    return setup.sabotaged && driver % 5 === 0 ? 'won' : (KINDS[acceptTrip.__typename] ?? 'refused');
  };
  const subject = tripsSubject(setup, accept);
  return {
    prepare: async (round, facts) => {
      await subject.prepare(round, facts);
      firstTripId = Number(facts.firstTripId);
      tripIds = String(facts.tripIds).split(' ');
    },
    request: subject.request,
    close: async () => client[Symbol.dispose](),
  };
};

const KINDS: Readonly<Record<string, TripAnswer['kind']>> = {
  TripAccepted: 'won',
  TripTaken: 'lost',
  TripUndecided: 'behind',
  DriverBusy: 'busy',
};

interface MintAnswer {
  readonly generateTsids: { readonly ids: readonly string[] };
}

const openMint: OpenSubject = async (setup) => {
  const client = openClient(setup);
  const mint = () => client.ask<MintAnswer>({ query: MINT_IDS, variables: { count: 1 } });
  const ask = setup.sabotaged ? withMixedAnswers(mint) : mint;
  return {
    request: async () => ({ kind: 'answered', id: (await ask()).generateTsids.ids[0] ?? '' }),
    close: async () => client[Symbol.dispose](),
  };
};

export const subjects = {
  issue: numbering<IssueAnswer>(ISSUE_NUMBER, ({ issueDocumentNumber }) => issueDocumentNumber.sequence),
  create: numbering<CreateAnswer>(
    CREATE_CORRESPONDENCE,
    ({ createCorrespondence }) => Number(createCorrespondence.documentNumber.split('-').at(-1)),
    { subject: 'Created by the bench' },
  ),
  accept: openAccept,
  mint: openMint,
} satisfies SubjectTable;
