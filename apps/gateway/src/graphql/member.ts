/** Creates a member of a union, which GraphQL recognizes by its class. */
export function memberOf<Member extends object>(type: new () => Member, fields: NoInfer<Member>): Member {
  return Object.assign(new type(), fields);
}
