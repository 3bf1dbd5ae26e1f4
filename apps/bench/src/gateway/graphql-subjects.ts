export const graphqlSubjects = {};
