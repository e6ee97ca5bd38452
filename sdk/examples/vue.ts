/** Vue: a composable that searches while the user types. Only the last answer counts. */
import { createCurrentClient } from '@tandem/sdk/current'
import { onScopeDispose, type Ref, ref, watch } from 'vue'

type Schema = { articles: { id: number; title: string }[] }

const client = createCurrentClient<Schema>({ url: 'https://api.example.com', token: 'my-token' })

export function useSearch(text: Ref<string>) {
  const found = ref<{ id: number; title: string }[]>([])
  const failure = ref<unknown>(null)
  let running = new AbortController()
  const search = async (words: string) => {
    running.abort()
    const { signal } = (running = new AbortController())
    try {
      found.value = await client.items('articles').read({ fields: ['id', 'title'], search: words }, { signal })
      failure.value = null
    } catch (error) {
      if (!signal.aborted) failure.value = error
    }
  }
  watch(text, search, { immediate: true })
  onScopeDispose(() => running.abort())
  return { found, failure }
}
