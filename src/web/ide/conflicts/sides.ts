/** Names of the two sides of a conflict, and of taking each. */
export interface SideNames {
  ours: string;
  theirs: string;
  take: { ours: string; theirs: string };
}
