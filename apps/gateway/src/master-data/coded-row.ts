/** A row of master data that is identified by its code. */
export interface CodedRow {
  id: bigint;
  code: string;
  name: string;
  createdAt: Date;
}
