/** React Query: one list that is cached, and a mutation that renews it. */
import { createCurrentClient, isApiError } from '@tandem/sdk/current'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

type Schema = { articles: { id: number; title: string; status: string }[] }

const client = createCurrentClient<Schema>({ url: 'https://api.example.com', token: 'my-token' })
const articles = client.items('articles')
const key = ['articles', 'published'] as const

/** The published articles. React Query aborts the request when nothing shows them any more. */
export const usePublished = () =>
  useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      articles.read({ fields: ['id', 'title'], filter: { status: { _eq: 'published' } }, sort: ['title'] }, { signal }),
    // The client has retried already.
    retry: false,
  })

export function usePublish() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => articles.update(id, { status: 'published' }),
    onSuccess: () => cache.invalidateQueries({ queryKey: key }),
  })
}

export function Published() {
  const { data, error, isPending } = usePublished()
  if (isPending) return <p>Loading …</p>
  if (error) return <p>{isApiError(error, 'FORBIDDEN') ? 'Please log in.' : error.message}</p>
  return (
    <ul>
      {data.map(({ id, title }) => (
        <li key={id}>{title}</li>
      ))}
    </ul>
  )
}
