/** Defects of system resources that only cases derived from the spec find. */
import { badTokens } from '../src/cases/send.ts'
import {
  answerWith,
  asAdmin,
  type Defect,
  isMethod,
  jsonOf,
  onAnswer,
  onData,
  onRequest,
  onRows,
  onSent,
  type Row,
  type Test,
  type Tokens,
  withoutHeader,
} from './defect.ts'

const at =
  (path: RegExp): Test =>
  (request) =>
    path.test(request.path)

const isOne = (name: string): Test => at(new RegExp(`^/${name}/[^/]+$`))
const isAll = (name: string): Test => at(new RegExp(`^/${name}$`))

const isRecord = (body: unknown): body is Row => typeof body === 'object' && body !== null && !Array.isArray(body)

const onRecord = (test: Test, change: (body: Row) => Row) =>
  onSent(test, (body) => (isRecord(body) ? change(body) : body))

export const specDefects = (tokens: Tokens): readonly Defect[] => [
  {
    name: 'a folder needs no name',
    hint: 'spec createFolders: what',
    tamper: onRecord(isMethod('POST', isAll('folders')), (body) => ('name' in body ? body : { ...body, name: 'tv_' })),
  },
  {
    name: 'an unknown property of a role is dropped in silence',
    hint: 'spec updateRole: unknown',
    tamper: onAnswer(isMethod('PATCH', isOne('roles')), withoutHeader('ignored-fields')),
  },
  {
    name: 'an unknown property of a change of dashboards is accepted',
    hint: 'spec updateDashboard: what',
    tamper: onRecord(isMethod('PATCH', isAll('dashboards')), ({ keys, data, query }) => ({
      ...(keys === undefined ? {} : { keys }),
      ...(data === undefined ? {} : { data }),
      ...(query === undefined ? {} : { query }),
    })),
  },
  {
    name: 'a list is accepted as the bookmark of a preset',
    hint: 'spec createPresets: what',
    tamper: onRecord(isMethod('POST', isAll('presets')), (body) =>
      Array.isArray(body['bookmark']) ? { ...body, bookmark: 'list' } : body,
    ),
  },
  {
    name: 'a change of a dashboard is answered and not stored',
    hint: 'spec createDashboards: a record',
    tamper: async (request, forward) => {
      if (!isMethod('PATCH', isOne('dashboards'))(request)) return forward(request)
      const body = jsonOf(request)
      const answer = await forward({ ...request, method: 'GET', body: null })
      return onData(answer, (data) => ({ ...(data as Row), ...(isRecord(body) ? body : {}) }))
    },
  },
  {
    name: 'a translation is still there after its deletion',
    hint: 'spec createTranslations: a record',
    tamper: async (request, forward) =>
      isMethod('DELETE', isOne('translations'))(request) ? answerWith(204) : forward(request),
  },
  {
    name: 'the last of several policies is not deleted',
    hint: 'spec deletePolicies',
    tamper: onRecord(isMethod('DELETE', isAll('policies')), (body) =>
      Array.isArray(body['keys']) ? { ...body, keys: body['keys'].slice(0, 1) } : body,
    ),
  },
  {
    name: 'a changed status of a notification is read as it was before',
    hint: 'spec createNotifications: a record',
    tamper: onAnswer(isMethod('GET', isOne('notifications')), (answer) =>
      onData(answer, (data) => ({ ...(data as Row), status: 'inbox' })),
    ),
  },
  {
    name: 'a property of roles has another name',
    hint: 'spec createRoles: a record',
    tamper: onRows(at(/^\/roles(\/|$)/), ({ description: about, ...row }) => ({ ...row, about })),
  },
  {
    name: 'a token with a foreign signature is taken',
    hint: 'spec updatePreset: what',
    tamper: onRequest(
      (request) => request.headers.get('authorization') === `Bearer ${badTokens.forged}`,
      (request) => asAdmin(tokens, request),
    ),
  },
  {
    name: 'an impossible depth of a written record is ignored',
    hint: 'spec createRoles: what',
    tamper: onRequest(isMethod('POST', isAll('roles')), (request) => ({ ...request, query: new URLSearchParams() })),
  },
]
