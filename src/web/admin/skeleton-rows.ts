/** Widths of the placeholder rows of an admin table. */
export const SKELETON_ROWS = ['62%', '48%', '55%', '40%'];
