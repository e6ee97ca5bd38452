/**
 * Steps about working on one item together (remarks, content versions, shares), each a name and what a client does.
 * The journey takes them after the history of the first book: a step gets the clients and that book's key.
 */
import { expect } from 'vitest'
import { type Ask, clientOf } from './instance.ts'

type Clients = {
  /** Where the server is, for those who come without an account. */
  readonly url: string
  readonly admin: Ask
  readonly reader: Ask
  readonly book: number
}

export type Step = { readonly name: string; readonly take: (clients: Clients) => Promise<void> }

export const collaborationSteps: readonly Step[] = [
  { name: 'a remark on the book is kept with it', take: remark },
  { name: 'a draft of the book waits beside it until it is promoted', take: draft },
  { name: 'whoever has the link to the book sees the book and nothing else', take: share },
]

async function remark({ admin, book }: Clients): Promise<void> {
  const made = await admin('/comments', { collection: 'books', item: String(book), comment: 'Well said' })
  expect(made.status).toBe(200)
  const silent = { collection: 'books', item: String(book), comment: ' ' }
  expect((await admin('/comments', silent)).status).toBe(400)
  expect((await admin('/activity/comment', silent)).status).toBe(400)
  const { data } = await admin(`/comments?filter[item][_eq]=${book}&fields=comment`)
  expect(data).toEqual([{ comment: 'Well said' }])
}

async function draft({ admin, reader, book }: Clients): Promise<void> {
  const price = async (more = ''): Promise<number> => {
    const { data } = await admin(`/items/books/${book}?fields=price${more}`)
    return Number((data as { readonly price: string }).price)
  }
  const version = { key: 'summer', name: 'Summer', collection: 'books', item: String(book) }
  expect((await admin('/versions', version)).status).toBe(422)
  expect((await admin('/collections/books', { meta: { versioning: true } }, 'PATCH')).status).toBe(200)
  const made = await admin('/versions?fields=id', version)
  const { id } = made.data as { readonly id: string }
  expect((await admin(`/versions/${id}/save`, { price: '15.50' })).status).toBe(200)
  expect([await price(), await price('&version=summer')]).toEqual([12.5, 15.5])
  expect((await reader(`/versions/${id}/compare`)).status).toBe(403)
  const { data: found } = await admin(`/versions/${id}/compare`)
  const { mainHash, outdated } = found as { readonly mainHash: string; readonly outdated: boolean }
  expect(outdated).toBe(false)
  expect((await admin(`/items/books/${book}`, { price: '13.00' }, 'PATCH')).status).toBe(200)
  // Somebody was faster: what is promoted has to be looked at again.
  expect((await admin(`/versions/${id}/promote`, { mainHash })).status).toBeGreaterThanOrEqual(400)
  expect(await price()).toBe(13)
  const again = (await admin(`/versions/${id}/compare`)).data as { readonly mainHash: string }
  expect(await admin(`/versions/${id}/promote`, { mainHash: again.mainHash })).toMatchObject({
    status: 200,
    data: String(book),
  })
  expect(await price()).toBe(15.5)
  expect((await admin(`/versions/${id}`, undefined, 'DELETE')).status).toBe(204)
}

async function share({ url, admin, reader, book }: Clients): Promise<void> {
  const stranger = clientOf(url)
  const roles = await admin('/roles?filter[name][_eq]=Readers&fields=id')
  const [role] = roles.data as readonly { readonly id: string }[]
  const password = 'letter-press-42'
  const shown = { collection: 'books', item: String(book), role: role?.id, password, max_uses: 1 }
  expect((await reader('/shares', shown)).status).toBe(403)
  const made = await admin('/shares?fields=id', shown)
  const { id } = made.data as { readonly id: string }
  const emails = ['friend@example.com']
  expect((await reader('/shares/invite', { share: id, emails })).status).toBe(403)
  expect((await admin('/shares/invite', { share: id, emails })).status).toBe(204)
  expect((await stranger(`/shares/info/${id}`)).data).toMatchObject({ password: '**********', times_used: 0 })
  expect((await stranger('/shares/auth', { share: id, password: 'wrong' })).status).toBe(401)
  const { data: tokens } = await stranger('/shares/auth', { share: id, password })
  const friend = clientOf(url, (tokens as { readonly access_token: string }).access_token)
  expect(await friend(`/items/books/${book}?fields=*`)).toMatchObject({
    status: 200,
    data: { id: book, title: 'Two wheels' },
  })
  for (const refused of [`/items/books/${book}?fields=price`, '/items/writers', `/items/books/${book + 1}`]) {
    expect(await friend(refused)).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  }
  expect((await friend(`/items/books/${book}`, { title: 'Mine' }, 'PATCH')).status).toBe(403)
  expect((await stranger('/shares/auth', { share: id, password })).status).toBe(401)
  expect((await admin(`/shares/${id}`, undefined, 'DELETE')).status).toBe(204)
  expect((await friend(`/items/books/${book}`)).status).toBe(401)
}
