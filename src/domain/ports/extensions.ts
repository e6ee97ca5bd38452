/** The port for what operators add: descriptions of extensions, and endpoints of their own. */

/** Kinds of extensions of the application; each has a folder of that name. */
export const extensionKinds = ['interfaces', 'layouts', 'modules', 'pages'] as const
export type ExtensionKind = (typeof extensionKinds)[number]

/** The contents of `meta.json`, with the name of the extension's folder and the path of the file. */
export type ExtensionFacts = { readonly id: string; readonly path: string; readonly [name: string]: unknown }

/** The part of a request that an endpoint gets. Credentials are not part of it: these endpoints are public. */
export type EndpointRequest = {
  readonly project: string
  readonly query: { readonly [name: string]: unknown }
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly ip: string | null
  /** Aborted when the endpoint has taken too long. */
  readonly signal: AbortSignal
}

/** Returns a text, or anything that JSON can say; undefined = there is nothing here. */
export type Endpoint = (request: EndpointRequest) => unknown

export type Extensions = {
  readonly list: (kind: ExtensionKind) => readonly ExtensionFacts[]
  readonly endpoint: (id: string) => Endpoint | null
}
