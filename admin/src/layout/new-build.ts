/** A page that was open while a new build was deployed: its later parts are gone, so it is loaded again, once. */
import { applicationUrl } from '../client.ts'

const mark = 'tandem-reloaded'
/** In milliseconds: a second failure within this time is no new build. */
const shortest = 60_000

/** Whether this page was loaded because of a new build a moment ago. */
export const wasReloaded: boolean = Date.now() - lastReload() < 10_000

function lastReload(): number {
  return Number(sessionStorage.getItem(mark) ?? 0)
}

const script = /assets\/index-[\w-]+\.js/

/** Whether the server has another build than this page. A server that does not answer has none. */
async function isNewBuild(): Promise<boolean> {
  const here = script.exec(document.querySelector<HTMLScriptElement>('script[src*="assets/index-"]')?.src ?? '')?.[0]
  try {
    const response = await fetch(applicationUrl, { cache: 'no-store' })
    const there = script.exec(await response.text())?.[0]
    return response.ok && there !== undefined && there !== here
  } catch {
    return false
  }
}

/** Ends only if the page is not loaded again, with the error. */
export async function reloadOr(error: unknown): Promise<never> {
  if (Date.now() - lastReload() < shortest || !(await isNewBuild())) throw error
  sessionStorage.setItem(mark, String(Date.now()))
  location.reload()
  return new Promise(() => {})
}
