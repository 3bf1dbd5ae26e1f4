/** The first example of the README. It runs unchanged in demo mode, any number of times. */
export const FIRST_QUERY = `mutation {
  generateTsids(count: 3)
  issueDocumentNumber(
    input: { projectCode: "DEMO", organizationCode: "TEAM", typeCode: "RFA", disciplineCode: "STR" }
  ) {
    ... on DocumentNumber { number }
  }
  requestTrip(input: { tripId: "1" }) {
    status
  }
  acceptTrip(input: { tripId: "1", offerEpoch: 1 }) {
    __typename
  }
}`;
