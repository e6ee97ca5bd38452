/** Junctions with composite keys in the common test world. */
import { openTestWorld, type TestWorld } from './test-context.ts'
import type { Scene } from './test-scene.ts'

/** `likes` has fields besides its key; `marks` has text keys with any characters. */
const likesSql = `
  create table likes (article integer references articles (id), author integer references authors (id), note text,
    giver integer references authors (id), sort integer, primary key (article, author));
  create table marks (article integer references articles (id), tag varchar(50) references tags (name), primary key (tag, article));
  insert into platform_fields (collection, field, special) values
    ('articles', 'marks', 'm2m'), ('articles', 'likes', 'm2m'), ('authors', 'liked', 'm2m'), ('authors', 'given', 'o2m');
  insert into platform_relations (many_collection, many_field, one_collection, one_field, junction_field, sort_field) values
    ('likes', 'article', 'articles', 'likes', 'author', 'sort'), ('likes', 'author', 'authors', 'liked', 'article', null),
    ('marks', 'article', 'articles', 'marks', 'tag', null), ('marks', 'tag', 'tags', null, 'article', null),
    ('likes', 'giver', 'authors', 'given', null, null);
  insert into platform_collections (collection, accountability) values ('likes', 'all');
  insert into likes values (1, 1, 'a', 4, 1), (1, 2, 'b', 4, 2), (1, 3, 'c', null, 3), (2, 1, 'd', null, 1)`

export async function openLikes(): Promise<TestWorld> {
  const world = await openTestWorld()
  await world.rowsOf(likesSql)
  return { ...world, ctx: { ...world.ctx, schema: await world.loadSchema() } }
}

/** Notes of the likes of an article, by the author. */
export const notes = async ({ rowsOf }: Scene, article = 1) => {
  const rows = await rowsOf(`select author, note from likes where article = ${article} order by author`)
  return Object.fromEntries((rows as { author: number; note: string | null }[]).map((row) => [row.author, row.note]))
}
