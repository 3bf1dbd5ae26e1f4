import { Field, InputType } from 'type-graphql';
import { DocumentSeriesInput } from '../numbering/series/document-series.input.js';

@InputType({ description: 'A new document and the series that numbers it.' })
export class CreateCorrespondenceInput extends DocumentSeriesInput {
  @Field(() => String, { description: 'Subject line, 1 to 500 characters.' })
  subject!: string;

  @Field(() => String, { defaultValue: '', description: 'Body text, up to 20,000 characters.' })
  body!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Idempotency key, 1 to 200 characters: a retry with the same key returns the same document.',
  })
  idempotencyKey?: string;
}

@InputType({ description: 'Conditions, combined with AND.' })
export class CorrespondenceFilter {
  @Field(() => String, {
    description:
      'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
    nullable: true,
  })
  projectCode?: string;

  @Field(() => String, { description: 'Code of one document type.', nullable: true })
  typeCode?: string;
}
