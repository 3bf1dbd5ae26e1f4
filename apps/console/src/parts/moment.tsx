const FORMAT = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/** A moment by the clock of the reader; the exact one is behind it. */
export function Moment({ iso }: { readonly iso: string | null | undefined }) {
  if (!iso) return <span class="quiet">–</span>;
  return (
    <time dateTime={iso} title={iso}>
      {FORMAT.format(new Date(iso))}
    </time>
  );
}
