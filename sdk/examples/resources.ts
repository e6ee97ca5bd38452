import { collections, createCurrentClient, type Rules, resources, schema, users } from '@tandem/sdk/current'

/** A project's own columns of users: `shoe_size` has to be given, `badge` is set by the server. */
type Schema = { platform_users: (Rules<'shoe_size', 'badge'> & { shoe_size: number; badge: string | null })[] }

/** Invites a colleague, gives somebody a shoe size, and looks at the data model. */
export async function lookAround(url: string, token: string, role: string) {
  const client = createCurrentClient<Schema>({ url, token }).with({ users, collections, schema })
  await client.users.invite({ email: 'ada@example.com', role })
  const [ada] = await client.users.read({ fields: ['id'], filter: { email: { _eq: 'ada@example.com' } } })
  if (ada !== undefined) await client.users.update(ada.id, { shoe_size: 38 })
  const names = (await client.collections.read()).map(({ collection }) => collection)
  const snapshot = await client.schema.snapshot()

  // All resources at once, where the size of the bundle does not matter.
  const everything = createCurrentClient<Schema>({ url, token }).with(resources)
  return { names, snapshot, health: await everything.server.readHealth() }
}
