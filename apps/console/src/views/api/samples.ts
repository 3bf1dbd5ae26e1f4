export interface Sample {
  readonly name: string;
  /** The demo user who may run it; empty: everybody at once. */
  readonly user: string;
  readonly query: string;
}

const SERIES = `projectCode: "DEMO"
      organizationCode: "TEAM"
      typeCode: "RFA"
      disciplineCode: "STR"`;

/** Ready to run against the demo's data. */
export const SAMPLES: readonly Sample[] = [
  {
    name: 'All three at once',
    user: '',
    query: `mutation {
  generateTsids(count: 3)
  issueDocumentNumber(
    input: {
      ${SERIES}
    }
  ) {
    ... on DocumentNumber { number }
  }
  requestTrip(input: { tripId: "1" }) {
    status
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
    query: `mutation {
  issueDocumentNumber(
    input: {
      ${SERIES}
    }
  ) {
    __typename
    ... on DocumentNumber { number sequence }
    ... on DocumentNumberRefusal { message }
  }
}`,
  },
  { name: 'Make three IDs', user: '', query: 'mutation {\n  generateTsids(count: 3)\n}' },
  {
    name: 'Request a trip',
    user: 'rider-4',
    query: 'mutation {\n  requestTrip(input: {}) {\n    id\n    status\n    offerEpoch\n  }\n}',
  },
  {
    name: 'Accept a trip',
    user: 'driver-1',
    query: `mutation {
  acceptTrip(input: { tripId: "1", offerEpoch: 1 }) {
    __typename
    ... on TripRefusal { message }
  }
}`,
  },
  {
    name: 'Read the ledger',
    user: 'auditor-3',
    query: `query {
  documentNumbers(first: 5, filter: { projectCode: "DEMO" }) {
    edges { node { number status issuedAt actor { name } } }
    pageInfo { hasNextPage endCursor }
  }
}`,
  },
  {
    name: 'How this gateway does',
    user: 'admin-1',
    query:
      'query {\n  overview {\n    process\n    node\n    parts { name isUp }\n    outbox { waitingCount }\n  }\n}',
  },
];
