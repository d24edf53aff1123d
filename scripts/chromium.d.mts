/** The path of a Chromium; null where there is none. */
export function findOrInstallChromium(): Promise<string | null>;
