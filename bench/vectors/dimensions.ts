/** Numbers in a vector of the built-in embedder. */
export const DIMENSIONS = 256;
