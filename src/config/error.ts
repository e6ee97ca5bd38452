/** An invalid setting. The message is one line with the name of the setting, and contains no secrets. */
export class ConfigError extends Error {
  constructor(name: string, expected: string, got: string) {
    super(`${name}: expected ${expected}, got ${got}`)
    this.name = 'ConfigError'
  }
}
