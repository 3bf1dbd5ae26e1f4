/** About 700 tokens in 3,000 characters. Validation is cheap: no two sibling fields share a response name. */
export const MANY_FIELDS: string = Array.from(
  { length: 30 },
  (_, index) =>
    `a${index}:tsid(id:"1"){id time node sequence crockford base62 hex holder{holder heldFrom heldUntil}}`,
).join(' ');
