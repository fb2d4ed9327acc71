/** Words that name a function or a group. A person's name in any language is left alone. */
const GROUP = /(?:^|[\s_./@-])(?:teams?|squad|group|department|on-?call|helpdesk|service-?desk|support|dev-?ops|ml-?ops|ops|sre|platform|infra(?:structure)?|admins?|engineering|engineers)(?=$|[\s_./@-])/i;

/** True when a name is a group's and not a person's: `ml-platform`, `GPU team`. What stands in brackets is not looked at. */
export function isTeamAlias(name: string): boolean {
  return GROUP.test(name.replace(/\([^)]*\)/g, '').trim());
}
