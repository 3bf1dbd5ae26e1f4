import type { ComponentChildren } from 'preact';
import type { Answer } from '../session/use-answer.js';
import { Progress } from './notice.js';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  /** Describes the table for screen readers; `isCaptionSeen` makes it visible. */
  readonly caption: string;
  readonly isCaptionSeen?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Shown instead of the table if there are no rows. */
  readonly empty: ComponentChildren;
}

export function DataTable<Row>({
  caption,
  isCaptionSeen = false,
  columns,
  rows,
  keyOf,
  empty,
}: DataTableProps<Row>) {
  if (rows.length === 0) return <p class="quiet">{empty}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
    <section class="table-place" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={isCaptionSeen ? '' : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" class={isNumber ? 'number' : ''}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber }) => (
                <td key={title} class={isNumber ? 'number' : ''}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface AnswerTableProps<Row> extends Omit<DataTableProps<Row>, 'rows'> {
  readonly of: Answer<readonly Row[]>;
}

/** The rows of an answer, once there is one. */
export function AnswerTable<Row>({ of, ...table }: AnswerTableProps<Row>) {
  return (
    <>
      <Progress of={of} />
      {of.value && <DataTable rows={of.value} {...table} />}
    </>
  );
}

/** The table behind a chart, for screen readers and for the exact figures. */
export function TableBehind<Row>(props: DataTableProps<Row>) {
  return (
    <details>
      <summary>Show as table</summary>
      <DataTable {...props} />
    </details>
  );
}
