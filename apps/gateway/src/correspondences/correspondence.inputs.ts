import { Field, InputType } from 'type-graphql';
import { DocumentSeriesInput } from '../numbering/series/document-series.input.js';

@InputType({ description: 'A document and the series of its number.' })
export class CreateCorrespondenceInput extends DocumentSeriesInput {
  @Field(() => String, { description: '1 to 500 characters.' })
  subject!: string;

  @Field(() => String, { defaultValue: '', description: 'Up to 20,000 characters.' })
  body!: string;

  @Field(() => String, {
    nullable: true,
    description: 'A repeat with the same key gives the same document. 1 to 200 characters.',
  })
  idempotencyKey?: string;
}

@InputType({ description: 'All given conditions hold together.' })
export class CorrespondenceFilter {
  @Field(() => String, {
    description: 'Of one project. Default: all that the caller may see.',
    nullable: true,
  })
  projectCode?: string;

  @Field(() => String, { description: 'Of one document type.', nullable: true })
  typeCode?: string;
}
