/** Some 700 tokens in 3,000 characters, which cost little to validate: fields of one name are never side by side. */
export const MANY_FIELDS: string = Array.from(
  { length: 30 },
  (_, index) => `a${index}:tsidReadings(text:"1"){spelling tsid{id time node sequence crockford base62}}`,
).join(' ');
