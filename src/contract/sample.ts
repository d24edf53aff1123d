/** Name and URL of the sample project. Without zod, since the web client loads them with its first page. */
export const SAMPLE_NAME = 'parcel-desk';
export const SAMPLE_URL = `sample:${SAMPLE_NAME}`;
