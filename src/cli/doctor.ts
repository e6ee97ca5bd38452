/** `tandem doctor`: looks at everything that a server needs, and says what to do. */
import { loadConfig } from '../config/config.ts'
import { openConfigured } from '../config/database.ts'
import type { Config } from '../config/sections.ts'
import { print, quietLog } from './database.ts'
import { databaseFindings, type Finding, storageFindings } from './doctor-findings.ts'

/** Prints the findings; the exit code is 1 if one is an error. Nothing is changed. */
export async function examine({ json }: { readonly json: boolean }): Promise<number> {
  const config = loadConfig()
  const findings = [
    ...settingsFindings(config),
    ...(await ofDatabase(config)),
    ...(await storageFindings(config.storage)),
    ...(await ofMail(config)),
    ...(await ofRedis(config)),
  ]
  if (json) print(JSON.stringify(findings, null, 2))
  else for (const line of findings.flatMap(linesOf)) print(line)
  return findings.some(({ state }) => state === 'error') ? 1 : 0
}

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
  if (config.http.publicUrl === null)
    found.push({
      component,
      state: 'warn',
      text: 'PUBLIC_URL is not set; links in mails lead to the address that the server listens on',
      advice: 'Set PUBLIC_URL to the address that users open',
    })
  return found.length > 0 ? found : [{ component, state: 'ok', text: 'All settings are known' }]
}

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
