/** `tandem doctor`: looks at everything that a server needs, and says what to do. */
import { setTimeout as sleep } from 'node:timers/promises'
import { loadConfig } from '../config/config.ts'
import { openConfigured } from '../config/database.ts'
import type { Config } from '../config/sections.ts'
import { print, quietLog } from './database.ts'
import { databaseFindings, type Finding, storageFindings } from './doctor-findings.ts'

type Check = (config: Config) => Promise<readonly Finding[]>

/** Milliseconds for the checks of one component: a folder on another machine may not answer at all. */
const timeout = 20_000

/** Prints the findings as they come; the exit code is 1 if one is an error. Nothing is changed. */
export async function examine({ json }: { readonly json: boolean }): Promise<number> {
  const config = loadConfig()
  const checks: { readonly [component: string]: Check } = {
    database: ofDatabase,
    storage: ({ storage }) => storageFindings(storage),
    mail: ofMail,
    redis: ofRedis,
  }
  const findings: Finding[] = []
  const report = (found: readonly Finding[]): void => {
    findings.push(...found)
    if (!json) for (const line of found.flatMap(linesOf)) print(line)
  }
  report(settingsFindings(config))
  for (const [component, check] of Object.entries(checks)) report(await withinTime(component, check(config), timeout))
  if (json) print(JSON.stringify(findings, null, 2))
  return findings.some(({ state }) => state === 'error') ? 1 : 0
}

/** The findings of a check, or that it has not ended in time. */
export const withinTime = (
  component: string,
  check: Promise<readonly Finding[]>,
  milliseconds: number,
): Promise<readonly Finding[]> =>
  Promise.race([check, sleep(milliseconds, [lateFinding(component, milliseconds)], { ref: false })])

const lateFinding = (component: string, milliseconds: number): Finding => ({
  component,
  state: 'error',
  text: `It does not answer within ${milliseconds / 1000} seconds`,
  advice: 'Check whether this machine reaches it, and what else waits for it',
})

const linesOf = ({ component, state, text, advice }: Finding): readonly string[] => [
  `${state.padEnd(6)}${component.padEnd(12)}${text}`,
  ...(advice === undefined ? [] : [`${' '.repeat(18)}→ ${advice}`]),
]

const reasonOf = (error: unknown): string =>
  ((error as { cause?: Error }).cause?.message ?? (error as Error).message).split('\n', 1)[0] ?? ''

/** The settings that can be read and are nevertheless no good idea. */
export function settingsFindings(config: Config): readonly Finding[] {
  const component = 'settings'
  const found: Finding[] = config.misspelt.map(({ name, meant }) => ({
    component,
    state: 'warn',
    text: `Unknown setting ${name}`,
    advice: `Rename it to ${meant}, or remove it`,
  }))
  const isServer = config.database.kind === 'pg'
  if (isServer && config.secret === null)
    found.push({
      component,
      state: 'warn',
      text: `SECRET is not set; each replica generates its own in ${config.dataDir}`,
      advice: 'Set SECRET to a random text of at least 32 characters, the same for all replicas',
    })
  if (config.secret !== null && new Set(config.secret).size < 8)
    found.push({
      component,
      state: 'warn',
      text: 'SECRET consists of less than 8 different characters',
      advice: 'Set SECRET to a random text: whoever guesses it can sign tokens of any user',
    })
  if (isServer && config.http.publicUrl !== null && isLoopback(config.http.publicUrl))
    found.push({
      component,
      state: 'warn',
      text: `PUBLIC_URL is ${config.http.publicUrl}, which only this machine can open`,
      advice: 'Set PUBLIC_URL to the address that users open; links in mails lead there',
    })
  if (config.http.publicUrl === null)
    found.push({
      component,
      state: 'warn',
      text: 'PUBLIC_URL is not set; links in mails lead to the address that the server listens on',
      advice: 'Set PUBLIC_URL to the address that users open',
    })
  return found.length > 0 ? found : [{ component, state: 'ok', text: 'All settings are known' }]
}

const isLoopback = (url: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

async function ofDatabase(config: Config): Promise<readonly Finding[]> {
  const component = 'database'
  try {
    const db = await openConfigured(config, quietLog)
    try {
      return await databaseFindings(db, config.excludeTables)
    } finally {
      await db.close()
    }
  } catch (error) {
    const advice =
      config.database.kind === 'pglite'
        ? 'Another process may have it open; ask that server at /server/health, or stop it first'
        : 'Check the DB_… settings, and that this machine may connect'
    return [{ component, state: 'error', text: `It cannot be opened: ${reasonOf(error)}`, advice }]
  }
}

async function ofMail({ mail }: Config): Promise<readonly Finding[]> {
  const component = 'mail'
  const { createOutbox } = await import('../mail/mail.ts')
  const outbox = createOutbox({ ...mail, verify: false }, quietLog)
  try {
    await outbox.verify()
    return [{ component, state: 'ok', text: 'The transport takes mails' }]
  } catch (error) {
    const advice = 'Check the EMAIL_… settings; until then, invitations and password resets are not sent'
    return [{ component, state: 'warn', text: `Mails cannot be sent: ${reasonOf(error)}`, advice }]
  } finally {
    await outbox.close(0)
  }
}

async function ofRedis({ redis: url }: Config): Promise<readonly Finding[]> {
  const component = 'redis'
  if (url === null) return [{ component, state: 'ok', text: 'Not used' }]
  const { openRedis } = await import('../cache/redis.ts')
  const redis = await openRedis(url, { ...quietLog, warn: () => {} })
  try {
    await redis.client.ping()
    return [{ component, state: 'ok', text: 'It answers' }]
  } catch (error) {
    const advice = 'Start it, or check REDIS; until then, each replica counts and keeps answers by itself'
    return [{ component, state: 'error', text: `It does not answer: ${reasonOf(error)}`, advice }]
  } finally {
    redis.close()
  }
}
