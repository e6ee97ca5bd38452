/** An invalid setting. The message is one line with the name of the setting, and contains no secrets. */
export class ConfigError extends Error {
  readonly setting: string
  readonly expected: string
  readonly got: string

  constructor(setting: string, expected: string, got: string) {
    super(`${setting}: expected ${expected}, got ${got}`)
    this.name = 'ConfigError'
    this.setting = setting
    this.expected = expected
    this.got = got
  }
}

/** `throw` in an expression. */
export function refuse(setting: string, expected: string, got: string): never {
  throw new ConfigError(setting, expected, got)
}
