const LACKED_MEMBER =
  /\(reading '([A-Za-z_$][\w$]*)'\)|has no attribute '(\w+)'|undefined method [`']([\w?!]+)'|Cannot read property '([A-Za-z_$][\w$]*)'|\.([\w$]+) is not a function/;

/** Returns the member that an absent value lacks, in the words of the runtimes; null where a message names none. */
export function lackedMember(message: string): string | null {
  const names = LACKED_MEMBER.exec(message)?.slice(1) ?? [];
  return names.find((name) => name !== undefined) ?? null;
}

/** Words for the object of a method itself, which is on too many lines. */
const OWN = new Set(['this', 'self', '$this']);

/** Names of the values of which a line reads one of the members: `order` in `order.items`. */
export function receiversOf(line: string, members: readonly string[]): string[] {
  const receivers = members.flatMap((member) => {
    const escaped = member.replace(/[$?!]/g, '\\$&');
    const accesses = line.match(new RegExp(`[\\w$@)\\]]+(?:\\?|&)?\\.${escaped}(?![\\w$])`, 'g')) ?? [];
    return accesses.flatMap((access) => /[\w$@]+/.exec(access)?.[0] ?? []);
  });
  return receivers.filter((name) => !OWN.has(name));
}
