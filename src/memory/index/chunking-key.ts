import { detectLanguage } from '../chunk/languages.ts';

/** Beginnings of files that decide on the language where a path leaves it open. */
const LANGUAGE_PROBES = ['', 'class A', '#!/usr/bin/python'];

/**
 * The kind of a path: equal contents at paths of one kind are cut into equal passages, or left out for one reason.
 * A path has its say by its name alone, in what it makes of each text that could decide otherwise.
 */
export function chunkingKey(path: string): string {
  return LANGUAGE_PROBES.map((text) => detectLanguage(path, text)).join(' ');
}
