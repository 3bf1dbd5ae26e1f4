/** What the README begins with. In demo mode it works as it is, and again when it is run a second time. */
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
