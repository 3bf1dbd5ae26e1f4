import { GraphQLError, type GraphQLFormattedError } from 'graphql';

/** An error that is already formatted for clients. */
export class WordedError extends GraphQLError {
  constructor(private readonly worded: GraphQLFormattedError) {
    super(worded.message);
  }

  override toJSON(): GraphQLFormattedError {
    return this.worded;
  }
}
