/** A setting has a value it cannot have. The message is one line that names it and holds no secret. */
export class ConfigError extends Error {
  constructor(name: string, expected: string, got: string) {
    super(`${name}: expected ${expected}, got ${got}`)
    this.name = 'ConfigError'
  }
}
