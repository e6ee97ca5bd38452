/** A page: login, the list of articles, an upload with its progress, logout. The session outlives a reload. */
import { createCurrentClient, files, isApiError, webStorage } from '@tandem/sdk/current'

type Schema = { articles: { id: number; title: string }[] }

/** Fills an empty page. `url` is the address of the server, which allows the origin of the page by CORS. */
export function showPage(root: HTMLElement, url: string): void {
  const client = createCurrentClient<Schema>({ url, storage: webStorage() }).with({ files })
  root.innerHTML = `
    <form><input name="email"><input name="password" type="password"><button>Log in</button></form>
    <input name="file" type="file"><progress value="0"></progress>
    <button name="logout">Log out</button><p></p><ul></ul>`
  const form = root.querySelector('form') as HTMLFormElement
  const list = root.querySelector('ul') as HTMLElement
  const state = root.querySelector('p') as HTMLElement
  const bar = root.querySelector('progress') as HTMLProgressElement

  /** Runs one step and says how it ended. */
  const step = async (name: string, run: () => Promise<unknown>) => {
    state.textContent = `${name} …`
    state.textContent = await run().then(
      () => `${name}: done`,
      (error: unknown) => `${name}: ${isApiError(error) ? error.code : String(error)}`,
    )
  }
  const showArticles = async () => {
    const articles = await client.items('articles').read({ fields: ['title'], sort: ['id'] })
    list.replaceChildren(
      ...articles.map(({ title }) => Object.assign(document.createElement('li'), { textContent: title })),
    )
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const { email, password } = Object.fromEntries(new FormData(form)) as { email: string; password: string }
    void step('login', () => client.login({ email, password }).then(showArticles))
  })
  root.querySelector('[type=file]')?.addEventListener('change', ({ target }) => {
    const [file] = (target as HTMLInputElement).files ?? []
    if (file === undefined) return
    const onProgress = ({ sent }: { readonly sent: number }) => {
      bar.value = sent / file.size
    }
    void step('upload', () => client.files.upload(file, {}, { onProgress }))
  })
  root.querySelector('[name=logout]')?.addEventListener('click', () => {
    void step('logout', async () => {
      await client.logout()
      list.replaceChildren()
    })
  })
  void step('list', showArticles)
}
