import { nearestName } from '@solegate/postgres-infra';

/** Variables that Kubernetes sets for each service of a namespace: `RATE_LIMIT_SERVICE_HOST`, `RATE_LIMIT_PORT=tcp://…`. */
const OF_KUBERNETES =
  /_(?:SERVICE_HOST|SERVICE_PORT(?:_\w+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)=|=(?:tcp|udp|sctp):/;

/**
 * Returns a fault for each variable that is probably a misspelled setting, which would be ignored while its default applies.
 * An environment also holds what shells, images and orchestrators set, so these are only the names that begin like a setting
 * of the gateway, or differ from one by a letter in five.
 *
 * @param settings every variable that is read
 * @param files variables that name the file of a setting instead
 */
export function faultsOfUnknown(
  variables: Readonly<Record<string, string>>,
  settings: readonly string[],
  files: readonly string[],
): string[] {
  const known = [...settings, ...files];
  const beginnings = ['JWT_', ...settings.flatMap(beginningOf)];
  return Object.entries(variables).flatMap(([name, value]) => {
    if (known.includes(name) || OF_KUBERNETES.test(`${name}=${value}`)) return [];
    const beginning = beginnings.find((one) => `${name}_`.startsWith(one));
    const nearest = nearestName(
      name,
      known.filter((one) => one.startsWith(beginning ?? '')),
    );
    const isNear = nearest.letterCount * 5 <= nearest.name.length;
    return isNear || beginning !== undefined
      ? [`${name}: is no setting; the nearest is ${nearest.name}`]
      : [];
  });
}

/** The first two words of a setting that has more, such as `RATE_LIMIT_`. Shorter beginnings are not ours alone. */
function beginningOf(setting: string): string[] {
  const [first, second, ...rest] = setting.split('_');
  return rest.length > 0 ? [`${first}_${second}_`] : [];
}
