/** The address of a number's page; without a project, of all numbers with that text. */
export function addressOf(number: string, projectCode: string | undefined): string {
  const project = projectCode === undefined ? '' : `?project=${encodeURIComponent(projectCode)}`;
  return `/ledger/${encodeURIComponent(number)}${project}`;
}

interface NumberLinkProps {
  readonly number: string;
  readonly projectCode: string | undefined;
}

/** A number and its project: several projects can print the same number. */
export function NumberLink({ number, projectCode }: NumberLinkProps) {
  return (
    <a class="mono" href={addressOf(number, projectCode)}>
      {projectCode && `${projectCode} · `}
      {number}
    </a>
  );
}
