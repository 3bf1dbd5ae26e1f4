import { Fields, optional } from '../graphql/fields.js';

/** Conditions of a list that can be limited to one project; see `projectOfList`. */
export abstract class ProjectFilter extends Fields({
  projectCode: optional(
    String,
    'Code of one project. Default: all projects the caller can access. Required (PROJECT_NEEDED) if the token names several, or with several databases.',
  ),
}) {}

export abstract class DocumentTypeFilter extends Fields(ProjectFilter, {
  typeCode: optional(String, 'Code of one document type.'),
}) {}
