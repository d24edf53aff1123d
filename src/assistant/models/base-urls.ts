import type { ModelSettings } from './port.ts';

/** Default base URL of each provider; null for `openai-compatible`, which has none. */
export const DEFAULT_BASE_URLS: Record<ModelSettings['provider'], string | null> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
  ollama: 'http://127.0.0.1:11434/v1',
  'openai-compatible': null,
};

/** True when the provider requires an API key. */
export function requiresApiKey(provider: ModelSettings['provider']): boolean {
  return provider !== 'ollama' && provider !== 'openai-compatible';
}
