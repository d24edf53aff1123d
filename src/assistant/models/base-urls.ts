import type { ModelSettings } from './port.ts';

/** Where each provider answers; an `openai-compatible` one has no address of its own. */
export const DEFAULT_BASE_URLS: Record<ModelSettings['provider'], string | null> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434/v1',
  'openai-compatible': null,
};

/** Whether a provider answers nobody without a key. */
export function requiresApiKey(provider: ModelSettings['provider']): boolean {
  return provider !== 'ollama' && provider !== 'openai-compatible';
}
