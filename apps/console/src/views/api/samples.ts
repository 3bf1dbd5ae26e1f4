export interface Sample {
  readonly name: string;
  /** The demo user who runs it; empty means everyone at once. */
  readonly user: string;
  readonly query: string;
  /** As JSON. */
  readonly variables?: string;
}

const SERIES = { projectCode: 'DEMO', organizationCode: 'TEAM', typeCode: 'RFA', disciplineCode: 'STR' };

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Operations ready to run against the demo data; the first is the one in the project's README. */
export const SAMPLES: readonly Sample[] = [
  {
    name: 'All three at once',
    user: '',
    query: `mutation {
  generateTsids(count: 3) { ... on TsidsGenerated { ids } }
  issueDocumentNumber(
    input: {
      projectCode: "DEMO"
      organizationCode: "TEAM"
      typeCode: "RFA"
      disciplineCode: "STR"
    }
  ) {
    ... on DocumentNumber { number }
  }
  requestTrip(input: { tripId: "1" }) {
    ... on Trip { status }
  }
  acceptTrip(
    input: { tripId: "1", offerEpoch: 1 }
  ) {
    __typename
  }
}`,
  },
  {
    name: 'Issue a number',
    user: 'clerk-2',
    query: `mutation Issue($input: IssueDocumentNumberInput!) {
  issueDocumentNumber(input: $input) {
    __typename
    ... on DocumentNumber { number sequence }
    ... on Refusal { message }
  }
}`,
    variables: json({ input: SERIES }),
  },
  {
    name: 'Read the ledger',
    user: 'auditor-3',
    query: `query Ledger($first: Int, $filter: DocumentNumberFilter) {
  documentNumbers(first: $first, filter: $filter) {
    edges {
      node { number status issuedAt actor { name } }
    }
    pageInfo { hasNextPage endCursor }
  }
}`,
    variables: json({ first: 5, filter: { typeCode: 'RFA' } }),
  },
  {
    name: 'Watch numbers being issued',
    user: 'auditor-3',
    query: `# Issue some in another tab, in Load or Ledger.
subscription {
  documentNumberIssued {
    number
    issuedAt
  }
}`,
  },
  {
    name: 'Generate three IDs',
    user: '',
    query: 'mutation {\n  generateTsids(count: 3) { ... on TsidsGenerated { ids } }\n}',
  },
  {
    name: 'Read an ID',
    user: '',
    query: `query Read($id: TSID!) {
  tsid(id: $id) { time node sequence crockford base62 hex }
}`,
    variables: json({ id: '4611686018427387904' }),
  },
  {
    name: 'Request a trip',
    user: 'rider-4',
    query: `mutation Request($input: RequestTripInput!) {
  requestTrip(input: $input) {
    ... on Trip {
      id
      status
      offerEpoch
    }
  }
}`,
    variables: json({ input: { offerTtlMs: 60_000 } }),
  },
  {
    name: 'Accept a trip',
    user: 'driver-1',
    query: `mutation Accept($input: AnswerOfferInput!) {
  acceptTrip(input: $input) {
    __typename
    ... on TripRefusal { message }
  }
}`,
    variables: json({ input: { tripId: '1', offerEpoch: 1 } }),
  },
  {
    name: 'Gateway status',
    user: 'admin-1',
    query: `query {
  overview {
    process
    node
    parts { name isUp }
    outbox { waitingCount }
  }
}`,
  },
];
