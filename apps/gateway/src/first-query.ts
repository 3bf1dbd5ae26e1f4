/** The first example of the README. It runs unchanged in demo mode, any number of times. */
export const FIRST_QUERY = `mutation {
  generateTsids(count: 3) { ... on TsidsGenerated { ids } }
  issueDocumentNumber(
    input: { projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR" }
  ) {
    ... on DocumentNumber { number }
  }
  requestTrip(input: { tripId: "1" }) {
    ... on Trip { status }
  }
  acceptTrip(input: { tripId: "1", offerEpoch: 1 }) {
    __typename
  }
}`;
