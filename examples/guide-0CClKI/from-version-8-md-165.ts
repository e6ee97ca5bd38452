import { createLegacyClient, versionEight } from '@tandem/sdk/legacy'

/** Reads what the old client read, by the same call. */
export async function readArticles(url: string, token: string) {
  const client = createLegacyClient({ url, token }).with({ api: versionEight })
  const { data } = await client.api.getItems('articles', { fields: 'id,title', sort: '-id' })
  return data
}