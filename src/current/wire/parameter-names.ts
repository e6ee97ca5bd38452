/** Names of a level's parameters: `key` in the request, `shown` in errors. */
export type ParameterNames = {
  readonly key: (parameter: string) => string
  readonly shown: (parameter: string) => string
}
