/** The client of the server that this page comes from. The session is in a cookie that scripts cannot read. */
import {
  auth,
  collections,
  comments,
  createCurrentClient,
  fields,
  files,
  folders,
  permissions,
  policies,
  presets,
  relations,
  revisions,
  type SentRequest,
  server,
  settings,
  shares,
  users,
  utils,
  versions,
  webhooks,
} from '@tandem/sdk/current'
import { viewedUser } from './access/viewed.ts'
import { exactFetch } from './api/exact-fetch.ts'
import { plainProblem } from './api/problem-texts.ts'

/** Address of the application, with a slash at its end: `/admin/`, or below the path of an outer application. */
export const applicationUrl = new URL('./', document.baseURI)

/** Address of the server. */
export const serverUrl = new URL('../', applicationUrl)

/** The address of something that the server itself shows, such as `docs/`. */
export const toServerUrl = (path: string): string => new URL(path, serverUrl).href

const resources = {
  auth,
  collections,
  comments,
  fields,
  files,
  folders,
  permissions,
  policies,
  presets,
  relations,
  revisions,
  server,
  settings,
  shares,
  users,
  utils,
  versions,
  webhooks,
}

/** How the server counts this application. */
export const clientName = 'tandem-admin'

const headers = { 'x-client': clientName }

/** Reads, and what a session or the visitor of a share needs, do not change the project. */
const harmless = /^(GET|HEAD|SEARCH) |^POST \/(auth|shares\/auth)/

/** As another user has the application, nothing is written, whichever part of it asks. */
function onRequest({ operation, method }: SentRequest): void {
  if (viewedUser() !== null && !harmless.test(`${method} ${operation.path}`)) throw new Error(plainProblem('only_seen'))
}

export const client = createCurrentClient<object>({ url: serverUrl.href, headers, onRequest, fetch: exactFetch }).with(
  resources,
)

/** A record of whatever collection. */
export type Row = { readonly [field: string]: unknown }
