/** What the doctor checks beside the settings, by component. */
import { openConfigured } from '../../config/database.ts'
import type { Config } from '../../config/sections.ts'
import { quietLog } from '../database.ts'
import { databaseFindings, type Finding, fails, isFine, storageFindings, warns } from './findings.ts'

export const checks = {
  database: ofDatabase,
  storage: ({ storage }) => storageFindings(storage),
  mail: ofMail,
  redis: ofRedis,
} satisfies { readonly [component: string]: (config: Config) => Promise<readonly Finding[]> }

export type Component = keyof typeof checks

const reasonOf = (error: unknown): string =>
  ((error as { cause?: Error }).cause?.message ?? (error as Error).message).split('\n', 1)[0] ?? ''

async function ofDatabase(config: Config): Promise<readonly Finding[]> {
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
    return [fails('database', `It cannot be opened: ${reasonOf(error)}`, advice)]
  }
}

async function ofMail({ mail }: Config): Promise<readonly Finding[]> {
  const { createOutbox } = await import('../../mail/mail.ts')
  const outbox = createOutbox({ ...mail, verify: false }, quietLog)
  try {
    await outbox.verify()
    return [isFine('mail', 'The transport takes mails')]
  } catch (error) {
    const advice = 'Check the EMAIL_… settings; until then, invitations and password resets are not sent'
    return [warns('mail', `Mails cannot be sent: ${reasonOf(error)}`, advice)]
  } finally {
    await outbox.close(0)
  }
}

async function ofRedis({ redis: url }: Config): Promise<readonly Finding[]> {
  if (url === null) return [isFine('redis', 'Not used')]
  const { openRedis } = await import('../../cache/redis.ts')
  const redis = await openRedis(url, { ...quietLog, warn: () => {} })
  try {
    await redis.client.ping()
    return [isFine('redis', 'It answers')]
  } catch (error) {
    const advice = 'Start it, or check REDIS; until then, each replica counts and keeps answers by itself'
    return [fails('redis', `It does not answer: ${reasonOf(error)}`, advice)]
  } finally {
    redis.close()
  }
}
