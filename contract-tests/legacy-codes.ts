/** Every numeric code of the legacy generation: how it is provoked from outside, or why it cannot occur. */
import type { UserKind } from './world.ts'

export type Provoked = {
  readonly code: number
  readonly status: number
  readonly name: string
  /** `POST /_/items/tags` */
  readonly request: string
  readonly body?: unknown
  readonly as?: UserKind
  readonly headers?: { readonly [name: string]: string }
  /** What has to be done before, by the administrator. */
  readonly before?: readonly (readonly [request: string, body?: unknown])[]
}

const column = { field: 'a', type: 'string', datatype: 'VARCHAR', length: 10 }
const key = { field: 'id', type: 'integer', datatype: 'INT', length: 10, primary_key: true, auto_increment: true }
const credentials = { email: 'editor@example.com', password: 'correct-horse-42' }

export const provoked: readonly Provoked[] = [
  { code: 1, status: 404, name: 'Not Found', request: 'GET /nowhere', headers: { 'x-acme-project': '_' } },
  {
    code: 102,
    status: 401,
    name: 'Expired Token',
    request: 'POST /_/users/invite/:expired',
    as: 'public',
  },
  {
    code: 103,
    status: 401,
    name: 'Inactive User',
    request: 'GET /_/items/tags?access_token=static-token-of-a-draft',
    as: 'public',
    before: [['POST /_/users', { email: 'draft@example.com', status: 'draft', token: 'static-token-of-a-draft' }]],
  },
  {
    code: 2,
    status: 400,
    name: 'Bad Request',
    request: 'POST /_/items/tags',
    body: '<tag/>',
    headers: { 'content-type': 'text/xml' },
  },
  { code: 3, status: 401, name: 'Unauthorized', request: 'GET /_/items/tags', as: 'public' },
  { code: 4, status: 400, name: 'Invalid Request', request: 'GET /_/items/tags?limit=many' },
  { code: 5, status: 404, name: 'Endpoint Not Found', request: 'GET /_/items' },
  { code: 6, status: 405, name: 'Method Not Allowed', request: 'PUT /_/items/tags', body: {} },
  { code: 8, status: 404, name: 'Project Configuration Not Found', request: 'GET /nowhere/items/tags' },
  { code: 10, status: 403, name: 'Forbidden', request: 'DELETE /_/files/907', as: 'nobody' },
  {
    code: 309,
    status: 403,
    name: 'Unable to Find Items Owned by User',
    request: 'GET /_/items/holds',
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'holds', role: ':writer', read: 'mine' }]],
  },
  {
    code: 12,
    status: 422,
    name: 'Unprocessable Entity',
    request: 'POST /_/items/tags',
    body: { name: 'x', nothing: 1 },
  },
  { code: 13, status: 400, name: 'Invalid or Empty Payload', request: 'POST /_/items/tags', body: '{"broken' },
  {
    code: 15,
    status: 400,
    name: 'Batch Upload Not Allowed',
    request: 'POST /_/files',
    body: [{ data: 'aGk=' }, { data: 'aGk=' }],
  },
  {
    code: 100,
    status: 404,
    name: 'Invalid Credentials',
    request: 'POST /_/auth/authenticate',
    body: { ...credentials, password: 'not-this-one' },
    as: 'public',
  },
  {
    code: 101,
    status: 401,
    name: 'Invalid Token',
    request: 'GET /_/items/tags?access_token=nobody-has-this-token',
    as: 'public',
  },
  {
    code: 104,
    status: 401,
    name: 'Invalid Reset Password Token',
    request: 'POST /_/auth/password/reset',
    body: { token: 'nothing', password: 'another-horse-42' },
    as: 'public',
  },
  {
    code: 108,
    status: 401,
    name: 'User Not Authenticated',
    request: 'POST /_/mail',
    body: { to: 'grace@example.com', body: 'x' },
    as: 'public',
  },
  {
    code: 112,
    status: 404,
    name: 'Invalid User OTP',
    request: 'POST /_/users/me/activate_2fa',
    body: { '2fa_secret': 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G', otp: '000000' },
  },
  {
    code: 114,
    status: 422,
    name: 'Auth Validation Error',
    request: 'POST /_/auth/authenticate',
    body: { email: 'editor@example.com' },
    as: 'public',
  },
  { code: 200, status: 404, name: 'Collection Not Found', request: 'GET /_/items/nowhere' },
  { code: 201, status: 401, name: 'No Direct Access to System Table', request: 'GET /_/items/platform_users' },
  { code: 202, status: 404, name: 'Field Not Found', request: 'GET /_/items/tags?filter[name.first]=x' },
  { code: 203, status: 404, name: 'Item Not Found', request: 'GET /_/items/tags/999999' },
  {
    code: 204,
    status: 409,
    name: 'Duplicate Item',
    request: 'POST /_/items/articles',
    body: { title: 'x', code: 'hello' },
  },
  {
    code: 205,
    status: 404,
    name: 'Collection Not Managed',
    request: 'PATCH /_/collections/holds',
    body: { note: 'x' },
  },
  { code: 207, status: 404, name: 'Revision Not Found', request: 'PATCH /_/items/tags/1/revert/999999', body: {} },
  { code: 209, status: 400, name: 'Field Invalid', request: 'GET /_/items/tags?sort=nothing' },
  {
    code: 210,
    status: 403,
    name: 'Cannot Create Comment',
    request: 'POST /_/activity/comment',
    body: { collection: 'tags', item: 1, comment: 'Hi' },
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'tags', role: ':writer', read: 'full', comment: 'none' }]],
  },
  {
    code: 211,
    status: 403,
    name: 'Cannot Update Comment',
    request: 'PATCH /_/activity/comment/:comment',
    body: { comment: 'Other' },
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'tags', role: ':writer', read: 'full', comment: 'update' }]],
  },
  {
    code: 212,
    status: 403,
    name: 'Cannot Delete Comment',
    request: 'DELETE /_/activity/comment/:comment',
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'tags', role: ':writer', read: 'full', comment: 'update' }]],
  },
  {
    code: 213,
    status: 422,
    name: 'Field Does Not Allow Object or Array',
    request: 'POST /_/items/tags',
    body: { name: ['x'] },
  },
  { code: 214, status: 422, name: 'Unknown Filter', request: 'GET /_/items/tags?filter[name][resembles]=x' },
  {
    code: 215,
    status: 403,
    name: 'Cannot Access Related Collection',
    request: 'GET /_/items/articles?filter[comments.text]=x',
    as: 'editor',
  },
  {
    code: 216,
    status: 403,
    name: 'Deleting or Disabling Last Admin Forbidden',
    request: 'PATCH /_/users/:admin',
    body: { status: 'suspended' },
  },
  { code: 300, status: 403, name: 'Reading Items Denied', request: 'GET /_/items/tags', as: 'nobody' },
  {
    code: 301,
    status: 403,
    name: 'Creating Items Denied',
    request: 'POST /_/items/tags',
    body: { name: 'x' },
    as: 'nobody',
  },
  {
    code: 302,
    status: 403,
    name: 'Updating Items Denied',
    request: 'PATCH /_/items/tags/1',
    body: { name: 'x' },
    as: 'nobody',
  },
  { code: 303, status: 403, name: 'Deleting Items Denied', request: 'DELETE /_/items/tags/1', as: 'nobody' },
  { code: 304, status: 403, name: 'Reading Field Denied', request: 'GET /_/items/articles?fields=views', as: 'editor' },
  {
    code: 305,
    status: 403,
    name: 'Updating Field Denied',
    request: 'PATCH /_/items/articles/1',
    body: { views: 1 },
    as: 'editor',
  },
  { code: 306, status: 403, name: 'Altering Collection Denied', request: 'DELETE /_/collections/tags', as: 'nobody' },
  {
    code: 307,
    status: 422,
    name: 'Collection Already Exists',
    request: 'POST /_/collections',
    body: { collection: 'tags', fields: [key] },
  },
  {
    code: 308,
    status: 422,
    name: 'Field Already Exists',
    request: 'POST /_/fields/tags',
    body: { ...column, field: 'name' },
  },
  {
    code: 401,
    status: 400,
    name: 'Unknown Data Type',
    request: 'POST /_/fields/tags',
    body: { ...column, type: 'rainbow' },
  },
  {
    code: 402,
    status: 422,
    name: 'Field Type Missing Length',
    request: 'POST /_/fields/tags',
    body: { ...column, length: null },
  },
  {
    code: 403,
    status: 422,
    name: 'Field Type Does Not Support Length',
    request: 'POST /_/fields/tags',
    body: { ...column, datatype: 'TEXT' },
  },
  {
    code: 1000,
    status: 400,
    name: 'Hasher Not Found',
    request: 'POST /_/utils/hash',
    body: { string: 'x', hasher: 'rot13' },
  },
]

/** Codes that other tests provoke, because they need a server of their own. */
export const elsewhere: readonly {
  readonly code: number
  readonly status: number
  readonly name: string
  readonly test: string
}[] = [
  { code: 0, status: 500, name: 'Internal Error', test: 'src/legacy/wire/errors.test.ts' },
  { code: 115, status: 400, name: 'SSO Not Allowed with 2FA', test: 'contract-tests/legacy-logins.test.ts' },
  { code: 7, status: 429, name: 'Too Many Requests', test: 'contract-tests/doors.test.ts' },
  { code: 9, status: 500, name: 'Failed Generating SQL Query', test: 'src/legacy/wire/errors.test.ts' },
  {
    code: 107,
    status: 404,
    name: 'User with Provided Email Not Found',
    test: 'contract-tests/legacy-logins.test.ts',
  },
  { code: 14, status: 503, name: 'Default Project Not Configured Properly', test: 'src/projects/faults.test.ts' },
  { code: 16, status: 500, name: 'Invalid Filesystem Path', test: 'src/projects/faults.test.ts' },
  { code: 17, status: 422, name: 'Invalid Configuration Path', test: 'src/projects/manage-projects.test.ts' },
  { code: 18, status: 409, name: 'Project Name Already Exists', test: 'src/projects/manage-projects.test.ts' },
  {
    code: 19,
    status: 400,
    name: 'Installation Invalid Database Information',
    test: 'src/projects/manage-projects.test.ts',
  },
  { code: 20, status: 500, name: 'Missing Storage Configuration', test: 'src/projects/faults.test.ts' },
  { code: 22, status: 503, name: 'Invalid Cache Adapter', test: 'src/projects/faults.test.ts' },
  { code: 23, status: 503, name: 'Invalid Cache Configuration', test: 'src/projects/faults.test.ts' },
  { code: 18, status: 401, name: 'Unauthorized Location Access', test: 'contract-tests/legacy-levels.test.ts' },
  { code: 21, status: 503, name: 'Under Maintenance', test: 'src/projects/projects.test.ts' },
  { code: 106, status: 404, name: 'User Not Found', test: 'src/legacy/handlers/rights.test.ts' },
  { code: 105, status: 401, name: 'Expired Reset Password Token', test: 'src/legacy/handlers/auth.test.ts' },
  { code: 109, status: 500, name: 'Invalid Request Token', test: 'contract-tests/legacy-logins.test.ts' },
  { code: 110, status: 500, name: 'Expired Request Token', test: 'contract-tests/legacy-logins.test.ts' },
  { code: 111, status: 404, name: 'User Missing 2FA OTP', test: 'src/legacy/handlers/auth.test.ts' },
  { code: 113, status: 401, name: '2FA Enforced but Not Activated', test: 'src/legacy/handlers/auth.test.ts' },
  { code: 11, status: 500, name: 'Failed to Connect to Database', test: 'src/projects/faults.test.ts' },
  { code: 208, status: 422, name: 'Revision Has Invalid Delta', test: 'src/legacy/handlers/revisions.test.ts' },
  { code: 400, status: 500, name: 'Unknown Error', test: 'src/legacy/wire/errors.test.ts' },
  { code: 500, status: 500, name: 'Mailer Transport Not Found', test: 'src/legacy/wire/errors.test.ts' },
  { code: 501, status: 500, name: 'Invalid Transport Option', test: 'src/legacy/wire/errors.test.ts' },
  { code: 502, status: 500, name: 'Invalid Transport Instance', test: 'src/legacy/wire/errors.test.ts' },
  { code: 600, status: 500, name: 'Unknown Error', test: 'src/legacy/handlers/files.test.ts' },
  { code: 601, status: 500, name: 'Exceeds Server Max Upload Size', test: 'src/legacy/handlers/files.test.ts' },
  { code: 602, status: 500, name: 'Exceeds Client Max Upload Size', test: 'contract-tests/assets-legacy.test.ts' },
  { code: 603, status: 500, name: 'Partially Uploaded', test: 'src/legacy/handlers/files.test.ts' },
  { code: 604, status: 500, name: 'No File Uploaded', test: 'src/legacy/handlers/files.test.ts' },
  { code: 606, status: 500, name: 'Missing Temporary Upload Directory', test: 'src/legacy/handlers/files.test.ts' },
  { code: 607, status: 500, name: 'Failed to Write File', test: 'src/legacy/handlers/files.test.ts' },
  { code: 608, status: 500, name: 'Upload Stopped by a Server Extension', test: 'src/legacy/handlers/files.test.ts' },
]

/** Codes that no request provokes. */
export const never: readonly { readonly codes: string; readonly why: string }[] = [
  { codes: '206', why: 'A field without settings is shown and changed like any other.' },
  { codes: '605', why: 'It has no meaning.' },
]
