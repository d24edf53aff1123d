const LACKED_MEMBER =
  /\(reading '([A-Za-z_$][\w$]*)'\)|has no attribute '(\w+)'|undefined method [`']([\w?!]+)'|Cannot read property '([A-Za-z_$][\w$]*)'|\.([\w$]+) is not a function/;

/** Returns the member that an absent value lacks, in the words of the runtimes; null where a message names none. */
export function lackedMember(message: string): string | null {
  const names = LACKED_MEMBER.exec(message)?.slice(1) ?? [];
  return names.find((name) => name !== undefined) ?? null;
}
