import type { ComponentChildren } from 'preact';

interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand at the right, under each other. */
  readonly isNumber?: boolean;
}

interface DataTableProps<Row> {
  /** What the table shows, for those who cannot see it; `isCaptionSeen` shows it to all. */
  readonly caption: string;
  readonly isCaptionSeen?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Stands in place of the table when there are no rows. */
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
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must be reachable by keyboard
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

/** A table behind a picture, for those who cannot see it and those who want the figures. */
export function TableBehind<Row>(props: DataTableProps<Row>) {
  return (
    <details>
      <summary>As a table</summary>
      <DataTable {...props} />
    </details>
  );
}
