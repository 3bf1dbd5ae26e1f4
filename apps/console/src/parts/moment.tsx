const FORMAT = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

/** A time in the reader's time zone, which it names; the tooltip has the exact one. */
export function Moment({ iso }: { readonly iso: string | null | undefined }) {
  if (!iso) return <span class="quiet">–</span>;
  return (
    <time dateTime={iso} title={iso}>
      {FORMAT.format(new Date(iso))}
    </time>
  );
}
