type Edit = [from: string, to: string];

/** A change of a file: its whole text, or edits of its parts. */
export type SampleChange = string | Edit | Edit[];

/** A commit of the sample repository. */
export interface SampleCommit {
  author: keyof typeof AUTHORS;
  /** Local time of the commit, `2025-03-03 09:12`, in UTC. */
  date: string;
  message: string;
  changes: Record<string, SampleChange>;
  tag?: string;
}

/** Invented people. */
export const AUTHORS = {
  mara: 'Mara Lind <mara@parcel-desk.example>',
  joon: 'Joon Park <joon@parcel-desk.example>',
  ines: 'Ines Duarte <ines@parcel-desk.example>',
};
