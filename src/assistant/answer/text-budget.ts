/** Joins as many whole sections as fit into so many characters; longer ones are skipped. */
export function fitSections(sections: readonly string[], maxLength: number): string {
  const kept: string[] = [];
  let left = maxLength;
  for (const section of sections) {
    if (section === '' || section.length > left) continue;
    kept.push(section);
    left -= section.length + 2;
  }
  return kept.join('\n\n');
}
