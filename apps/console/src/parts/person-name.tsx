interface PersonNameProps {
  readonly actor: { readonly id: string; readonly name: string } | null;
  readonly actorId: string | null;
}

/** A person's name if the gateway knows it, else the subject of their token. */
export function PersonName({ actor, actorId }: PersonNameProps) {
  if (actor !== null) return <>{actor.name}</>;
  return actorId === null ? <span class="quiet">not recorded</span> : actorId;
}
