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

const provoke = (
  [code, status, name]: readonly [code: number, status: number, name: string],
  request: string,
  more: Pick<Provoked, 'body' | 'as' | 'headers' | 'before'> = {},
): Provoked => ({ code, status, name, request, ...more })

export const provoked: readonly Provoked[] = [
  provoke([1, 404, 'Not Found'], 'GET /nowhere', { headers: { 'x-acme-project': '_' } }),
  provoke([102, 401, 'Expired Token'], 'POST /_/users/invite/:expired', { as: 'public' }),
  provoke([103, 401, 'Inactive User'], 'GET /_/items/tags?access_token=static-token-of-a-draft', {
    as: 'public',
    before: [['POST /_/users', { email: 'draft@example.com', status: 'draft', token: 'static-token-of-a-draft' }]],
  }),
  provoke([2, 400, 'Bad Request'], 'POST /_/items/tags', { body: '<tag/>', headers: { 'content-type': 'text/xml' } }),
  provoke([3, 401, 'Unauthorized'], 'GET /_/items/tags', { as: 'public' }),
  provoke([4, 400, 'Invalid Request'], 'GET /_/items/tags?limit=many'),
  provoke([5, 404, 'Endpoint Not Found'], 'GET /_/items'),
  provoke([6, 405, 'Method Not Allowed'], 'PUT /_/items/tags', { body: {} }),
  provoke([8, 404, 'Project Configuration Not Found'], 'GET /nowhere/items/tags'),
  provoke([10, 403, 'Forbidden'], 'DELETE /_/files/907', { as: 'nobody' }),
  provoke([309, 403, 'Unable to Find Items Owned by User'], 'GET /_/items/holds', {
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'holds', role: ':writer', read: 'mine' }]],
  }),
  provoke([12, 422, 'Unprocessable Entity'], 'POST /_/items/tags', { body: { name: 'x', nothing: 1 } }),
  provoke([13, 400, 'Invalid or Empty Payload'], 'POST /_/items/tags', { body: '{"broken' }),
  provoke([15, 400, 'Batch Upload Not Allowed'], 'POST /_/files', { body: [{ data: 'aGk=' }, { data: 'aGk=' }] }),
  provoke([100, 404, 'Invalid Credentials'], 'POST /_/auth/authenticate', {
    body: { ...credentials, password: 'not-this-one' },
    as: 'public',
  }),
  provoke([101, 401, 'Invalid Token'], 'GET /_/items/tags?access_token=nobody-has-this-token', { as: 'public' }),
  provoke([104, 401, 'Invalid Reset Password Token'], 'POST /_/auth/password/reset', {
    body: { token: 'nothing', password: 'another-horse-42' },
    as: 'public',
  }),
  provoke([108, 401, 'User Not Authenticated'], 'POST /_/mail', {
    body: { to: 'grace@example.com', body: 'x' },
    as: 'public',
  }),
  provoke([112, 404, 'Invalid User OTP'], 'POST /_/users/me/activate_2fa', {
    body: { '2fa_secret': 'WS36IYF5QGENQ3NE3UTBJN2AVYXYFX4G', otp: '000000' },
  }),
  provoke([114, 422, 'Auth Validation Error'], 'POST /_/auth/authenticate', {
    body: { email: 'editor@example.com' },
    as: 'public',
  }),
  provoke([200, 404, 'Collection Not Found'], 'GET /_/items/nowhere'),
  provoke([201, 401, 'No Direct Access to System Table'], 'GET /_/items/platform_users'),
  provoke([202, 404, 'Field Not Found'], 'GET /_/items/tags?filter[name.first]=x'),
  provoke([203, 404, 'Item Not Found'], 'GET /_/items/tags/999999'),
  provoke([204, 409, 'Duplicate Item'], 'POST /_/items/articles', { body: { title: 'x', code: 'hello' } }),
  provoke([205, 404, 'Collection Not Managed'], 'PATCH /_/collections/holds', { body: { note: 'x' } }),
  provoke([207, 404, 'Revision Not Found'], 'PATCH /_/items/tags/1/revert/999999', { body: {} }),
  provoke([209, 400, 'Field Invalid'], 'GET /_/items/tags?sort=nothing'),
  provoke([210, 403, 'Cannot Create Comment'], 'POST /_/activity/comment', {
    body: { collection: 'tags', item: 1, comment: 'Hi' },
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'tags', role: ':writer', read: 'full', comment: 'none' }]],
  }),
  provoke([211, 403, 'Cannot Update Comment'], 'PATCH /_/activity/comment/:comment', {
    body: { comment: 'Other' },
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'tags', role: ':writer', read: 'full', comment: 'update' }]],
  }),
  provoke([212, 403, 'Cannot Delete Comment'], 'DELETE /_/activity/comment/:comment', {
    as: 'writer',
    before: [['POST /_/permissions', { collection: 'tags', role: ':writer', read: 'full', comment: 'update' }]],
  }),
  provoke([213, 422, 'Field Does Not Allow Object or Array'], 'POST /_/items/tags', { body: { name: ['x'] } }),
  provoke([214, 422, 'Unknown Filter'], 'GET /_/items/tags?filter[name][resembles]=x'),
  provoke([215, 403, 'Cannot Access Related Collection'], 'GET /_/items/articles?filter[comments.text]=x', {
    as: 'editor',
  }),
  provoke([216, 403, 'Deleting or Disabling Last Admin Forbidden'], 'PATCH /_/users/:admin', {
    body: { status: 'suspended' },
  }),
  provoke([300, 403, 'Reading Items Denied'], 'GET /_/items/tags', { as: 'nobody' }),
  provoke([301, 403, 'Creating Items Denied'], 'POST /_/items/tags', { body: { name: 'x' }, as: 'nobody' }),
  provoke([302, 403, 'Updating Items Denied'], 'PATCH /_/items/tags/1', { body: { name: 'x' }, as: 'nobody' }),
  provoke([303, 403, 'Deleting Items Denied'], 'DELETE /_/items/tags/1', { as: 'nobody' }),
  provoke([304, 403, 'Reading Field Denied'], 'GET /_/items/articles?fields=views', { as: 'editor' }),
  provoke([305, 403, 'Updating Field Denied'], 'PATCH /_/items/articles/1', { body: { views: 1 }, as: 'editor' }),
  provoke([306, 403, 'Altering Collection Denied'], 'DELETE /_/collections/tags', { as: 'nobody' }),
  provoke([307, 422, 'Collection Already Exists'], 'POST /_/collections', {
    body: { collection: 'tags', fields: [key] },
  }),
  provoke([308, 422, 'Field Already Exists'], 'POST /_/fields/tags', { body: { ...column, field: 'name' } }),
  provoke([401, 400, 'Unknown Data Type'], 'POST /_/fields/tags', { body: { ...column, type: 'rainbow' } }),
  provoke([402, 422, 'Field Type Missing Length'], 'POST /_/fields/tags', { body: { ...column, length: null } }),
  provoke([403, 422, 'Field Type Does Not Support Length'], 'POST /_/fields/tags', {
    body: { ...column, datatype: 'TEXT' },
  }),
  provoke([1000, 400, 'Hasher Not Found'], 'POST /_/utils/hash', { body: { string: 'x', hasher: 'rot13' } }),
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
