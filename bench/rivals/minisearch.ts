import { BEST, load, type OpenRival } from './rival.ts';

interface MiniSearch {
  addAll(documents: { id: number; text: string }[]): void;
  search(query: string): unknown[];
}

/** MiniSearch as its README sets it up. */
export const openMiniSearch: OpenRival = async (texts) => {
  type Module = { default: new (options: { fields: string[] }) => MiniSearch };
  const { default: Engine } = await load<Module>('minisearch');
  const index = new Engine({ fields: ['text'] });
  index.addAll(texts.map((text, id) => ({ id, text })));
  return { search: (query) => index.search(query).slice(0, BEST) };
};
