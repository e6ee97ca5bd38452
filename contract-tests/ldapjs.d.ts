declare module 'ldapjs' {
  type Named = { readonly dn: { readonly toString: () => string }; readonly connection: object }
  type Next = (error?: Error) => void
  type Searched = Named & {
    readonly scope: string | number
    readonly filter: { readonly matches: (entry: object) => boolean }
  }
  type Answer = { readonly attributes: string[]; readonly send: (entry: object) => void; readonly end: () => void }
  type Server = {
    readonly bind: (
      dn: string,
      answer: (request: Named & { readonly credentials: string }, response: Answer, next: Next) => void,
    ) => void
    readonly search: (dn: string, answer: (request: Searched, response: Answer, next: Next) => void) => void
    readonly listen: (port: number, host: string, done: () => void) => void
    readonly close: (done: () => void) => void
    readonly url: string
  }
  class InvalidCredentialsError extends Error {}
  class InsufficientAccessRightsError extends Error {}
  const library: {
    readonly createServer: () => Server
    readonly parseDN: (text: string) => Named['dn']
    readonly InvalidCredentialsError: typeof InvalidCredentialsError
    readonly InsufficientAccessRightsError: typeof InsufficientAccessRightsError
  }
  export default library
}
