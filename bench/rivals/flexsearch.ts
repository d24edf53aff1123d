import { BEST, load, type OpenRival } from './rival.ts';

interface Index {
  add(id: number, text: string): void;
  search(query: string, options: { limit: number; suggest: boolean }): unknown;
}

/** FlexSearch with whole words; `suggest` lets one of the words be enough. */
export const openFlexSearch: OpenRival = async (texts) => {
  type Engine = { Index: new (options: { tokenize: 'strict' }) => Index };
  const module = await load<Engine & { default?: Engine }>('flexsearch');
  const { Index: Engine } = module.default ?? module;
  const index = new Engine({ tokenize: 'strict' });
  for (const [id, text] of texts.entries()) index.add(id, text);
  return { search: (query) => index.search(query, { limit: BEST, suggest: true }) };
};
