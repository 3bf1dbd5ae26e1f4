const FORMAT = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

interface MomentProps {
  readonly iso: string | null | undefined;
}

/** A time in the reader's time zone, which it names; the tooltip has the exact one. Only date and time may be parted. */
export function Moment({ iso }: MomentProps) {
  if (!iso) return <span class="quiet">–</span>;
  return (
    <time dateTime={iso} title={iso}>
      {FORMAT.format(new Date(iso)).replaceAll(/(?<!,) /g, '\u00a0')}
    </time>
  );
}

/** 2026-11-27 → 27 Nov 2026, in every time zone */
export function wordsOfDay(iso: string): string {
  return DAY.format(new Date(iso)).replaceAll(' ', '\u00a0');
}

export function Day({ iso }: MomentProps) {
  return iso ? <time dateTime={iso}>{wordsOfDay(iso)}</time> : <span class="quiet">–</span>;
}
