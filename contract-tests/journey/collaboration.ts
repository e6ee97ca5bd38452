/**
 * Steps about working on one item together (content versions, shares), each a name and what a client does.
 * The journey takes them after the history of the first book: a step gets the clients and that book's key.
 */
import type { Ask } from './instance.ts'

export type Step = {
  readonly name: string
  readonly take: (clients: { readonly admin: Ask; readonly reader: Ask; readonly book: number }) => Promise<void>
}

export const collaborationSteps: readonly Step[] = [
  {
    name: 'a remark on the book is kept with it',
    take: async ({ admin, book }) => {
      const remark = { collection: 'books', item: String(book), comment: 'Well said' }
      const made = await admin('/comments', remark)
      if (made.status !== 200) throw new Error(`The remark was answered with ${made.status}`)
      const { data } = await admin(`/comments?filter[item][_eq]=${book}&fields=comment`)
      if (JSON.stringify(data) !== '[{"comment":"Well said"}]') throw new Error(`Read back: ${JSON.stringify(data)}`)
    },
  },
]
