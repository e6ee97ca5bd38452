/** Settings of version 8 that requests obey. They are part of the schema, so that no request reads them. */

export type ProjectSettings = {
  /** `default_limit`: items of a list that names no limit; -1 = all. */
  readonly listLimit?: number
  /** `auth_token_ttl`: lifetime of a token. */
  readonly tokenMinutes?: number
  /** `auto_sign_out`: lifetime of a session that is not used. */
  readonly sessionMinutes?: number
}

type StoredSetting = { readonly key: string; readonly value: string | null }

/** Ten years. */
const longest = 5_256_000

/** The settings among the stored ones; others, and values out of range, have no effect. */
export function projectSettings(stored: readonly StoredSetting[]): ProjectSettings {
  const numberOf = (name: string, least: number, most: number): number | undefined => {
    const value = stored.find(({ key }) => key === name)?.value ?? ''
    const number = value === '' ? Number.NaN : Number(value)
    return Number.isSafeInteger(number) && number >= least && number <= most ? number : undefined
  }
  const settings = {
    listLimit: numberOf('default_limit', -1, Number.MAX_SAFE_INTEGER),
    tokenMinutes: numberOf('auth_token_ttl', 1, longest),
    sessionMinutes: numberOf('auto_sign_out', 1, longest),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, number]) => number !== undefined))
}
