import { type FieldTable, masked, number } from './field-table.ts'

/** Values of a user's status that differ between the generations: stored value → this generation's. */
const userStatusWords = { archived: 'deleted' } as const

export const users: FieldTable = {
  id: number,
  status: { field: 'status', codec: { kind: 'words', words: userStatusWords } },
  role: { field: 'role' },
  first_name: { field: 'first_name' },
  last_name: { field: 'last_name' },
  email: { field: 'email' },
  password: { field: 'password', codec: masked, unlisted: true },
  token: { field: 'token', codec: masked },
  timezone: { field: 'timezone' },
  locale: { field: 'language' },
  locale_options: { field: 'locale_options' },
  avatar: { field: 'avatar' },
  company: { field: 'company' },
  title: { field: 'title' },
  email_notifications: { field: 'email_notifications' },
  last_access_on: { field: 'last_access' },
  last_page: { field: 'last_page' },
  external_id: { field: 'external_identifier' },
  theme: { field: 'appearance' },
  '2fa_secret': { field: 'tfa_secret', codec: masked },
  password_reset_token: { field: 'password_reset_token', codec: masked },
}
