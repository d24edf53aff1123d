import { detectLanguage } from '../chunk/languages.ts';

/** Beginnings of files that determine the language where a path does not. */
const LANGUAGE_PROBES = ['', 'class A', '#!/usr/bin/python'];

/**
 * Classifies a path: equal contents at paths with equal keys are chunked into equal passages, or skipped for the same
 * reason. The key lists the language of the path for each text that could change it.
 */
export function chunkingKey(path: string): string {
  return LANGUAGE_PROBES.map((text) => detectLanguage(path, text)).join(' ');
}
