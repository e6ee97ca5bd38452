/** Login, logout and the model of the user, for react-admin. */
import { isApiError } from '@tandem/sdk/current'
import type { AuthProvider } from 'react-admin'
import { setViewedUser, viewedUser } from '../access/viewed.ts'
import { client, toServerUrl } from '../client.ts'
import type { Model } from '../model/model.ts'
import { readModel } from '../model/read-model.ts'
import { noteSessionEnd } from './session-end.ts'
import { stopFor } from './stopped.ts'

export type Login = {
  /** The address, or the name in a directory. */
  readonly email: string
  readonly password: string
  readonly otp?: string | undefined
  /** Name of a directory; otherwise it is an account of this server. */
  readonly provider?: string | undefined
}

/** The cookie of a session is good for a day at least; it is renewed while the application is open. */
const renewEvery = 30 * 60 * 1000

/** Whether this browser has logged somebody in; the front page of the server sets and removes it too. */
const mark = 'tandem-login'
const known = 'yes'
/** The mark of a login that may fail. */
const expected = 'expected'

let model: Promise<Model> | null = null
let lastRenewal = Date.now()

/** The model, read once per login, until `forgetModel`. */
export const currentModel = (): Promise<Model> => {
  model ??= readShown().catch((error: unknown) => {
    model = null
    throw error
  })
  return model
}

async function readShown(): Promise<Model> {
  const own = await readModel()
  const user = viewedUser()
  if (user === null || !own.isAdmin) return own
  const { modelOf } = await import('../access/view-as.ts')
  return modelOf(user, own)
}

/** The next look reads the model anew. */
export const forgetModel = (): void => {
  model = null
}

/** Before a login elsewhere, whose cookie scripts cannot see. */
export const expectSession = (): void => localStorage.setItem(mark, expected)

async function renew(): Promise<void> {
  if (Date.now() - lastRenewal < renewEvery) return
  lastRenewal = Date.now()
  await client.auth.refresh({ mode: 'session' }).catch(() => {})
}

/** What visitors may not read is refused like what an ended session may not. No answer says nothing of the session. */
async function isLoggedIn(): Promise<boolean> {
  return client.users.readMe({ fields: ['id'] }).then(
    () => true,
    (error: unknown) => ![401, 403].includes(statusOf(error)),
  )
}

const statusOf = (error: unknown): number =>
  (isApiError(error) ? error.status : (error as { readonly status?: number }).status) ?? 0

async function saysEnd(error: unknown): Promise<boolean> {
  const status = statusOf(error)
  return status === 401 || (status === 403 && !(await isLoggedIn()))
}

/** The page of the login says it; the framework would say it for a moment only. A logout is no such end. */
const sessionEnd = (): object => {
  if (localStorage.getItem(mark) === known || model !== null) noteSessionEnd(true)
  return { message: false }
}

export const authProvider = {
  async login({ email, password, otp, provider }: Login) {
    const more = { password, mode: 'session', ...(otp && { otp }) } as const
    if (provider === undefined) await client.auth.login({ email, ...more })
    else await client.auth.loginByProvider(provider, { identifier: email, ...more })
    lastRenewal = Date.now()
    noteSessionEnd(false)
    expectSession()
    forgetModel()
  },
  async logout() {
    const wasLoggedIn = localStorage.getItem(mark) !== null
    localStorage.removeItem(mark)
    setViewedUser(null)
    forgetModel()
    if (wasLoggedIn) await client.auth.logout({ mode: 'session' }).catch(() => {})
  },
  async checkAuth() {
    if (localStorage.getItem(mark) === null) throw model === null ? new Error('Nobody is logged in') : sessionEnd()
    await renew()
    await currentModel().catch(async (error: unknown) => {
      if (await saysEnd(error)) throw sessionEnd()
      return stopFor(error)
    })
    if (localStorage.getItem(mark) !== null) localStorage.setItem(mark, known)
  },
  async checkError(error: unknown) {
    if (await saysEnd(error)) throw sessionEnd()
  },
  async getIdentity() {
    const { me } = await currentModel()
    const fullName = [me.first_name, me.last_name].filter(Boolean).join(' ') || me.email || me.id
    const avatar = me.avatar === null ? undefined : toServerUrl(`assets/${me.avatar}?width=64&height=64&fit=cover`)
    return { id: me.id, fullName, ...(avatar !== undefined && { avatar }) }
  },
  async getPermissions() {
    return localStorage.getItem(mark) === null ? undefined : currentModel()
  },
} satisfies AuthProvider
