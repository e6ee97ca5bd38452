import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { MailSettings } from '../mail/settings.ts'
import { ConfigError } from './error.ts'
import type { Values } from './settings.ts'

/** The sender and the transport. */
export function toMail(values: Values, dataDir: string): MailSettings {
  return {
    from: values.EMAIL_FROM,
    verify: values.EMAIL_VERIFY_SETUP,
    templates: toFolder(values.EMAIL_TEMPLATES_PATH),
    transport: toTransport(values, dataDir),
  }
}

function toFolder(path: string | null): string | null {
  if (path === null) return null
  const folder = resolve(path)
  if (isFolder(folder)) return folder
  throw new ConfigError('EMAIL_TEMPLATES_PATH', 'a folder', JSON.stringify(path.slice(0, 80)))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function toTransport(values: Values, dataDir: string): MailSettings['transport'] {
  switch (values.EMAIL_TRANSPORT) {
    case 'file':
      return { kind: 'file', folder: join(dataDir, 'mail') }
    case 'console':
      return { kind: 'console' }
    case 'sendmail':
      return { kind: 'sendmail', path: values.EMAIL_SENDMAIL_PATH, newline: values.EMAIL_SENDMAIL_NEW_LINE }
    case 'smtp': {
      const host = values.EMAIL_SMTP_HOST
      if (host === null) throw new ConfigError('EMAIL_SMTP_HOST', 'a value with EMAIL_TRANSPORT=smtp', 'nothing')
      return {
        kind: 'smtp',
        host,
        port: values.EMAIL_SMTP_PORT,
        user: values.EMAIL_SMTP_USER,
        password: values.EMAIL_SMTP_PASSWORD,
        pool: values.EMAIL_SMTP_POOL,
        secure: values.EMAIL_SMTP_SECURE,
        ignoreTls: values.EMAIL_SMTP_IGNORE_TLS,
        name: values.EMAIL_SMTP_NAME,
      }
    }
  }
}
