/** Logins by a provider on the wire: the way back to a page. */
import { type AnsweredFlow, findRedirectProvider, identifyFlow } from '../../core/accounts/providers/flows.ts'
import { identifyUnsolicited, matchAnswer, pageOfAnswer } from '../../core/accounts/providers/unsolicited-logins.ts'
import { openSession, type SessionUser } from '../../core/accounts/sessions.ts'
import type { Context } from '../../domain/ports/context.ts'
import type { RedirectProvider } from '../../domain/ports/providers.ts'
import { TandemError } from '../../domain/rights/errors.ts'
import { readFlowCookie, withoutFlow } from '../../http/reply/flow-cookie.ts'
import { redirect, withCookies } from '../../http/reply/reply.ts'
import type { HttpRequest } from '../../http/request/request.ts'
import { toErrorBody } from './errors.ts'
import { type Mode, replyTokens } from './session-reply.ts'

/**
 * Where a provider answers, below the public address. SAML calls it the assertion consumer service, and has one for each
 * project, since a form of a provider names no other one; the others have one address for all projects.
 */
export const callbackOf = ({ project }: Pick<Context, 'project'>, { name, driver }: RedirectProvider): string =>
  driver === 'saml' ? `/auth/login/${name}/acs${inProject(project)}` : `/auth/login/${name}/callback`

/** The part of an address that names the project; the default one needs none. */
export const inProject = (project: string): string => (project === '_' ? '' : `?project=${encodeURIComponent(project)}`)

/** The provider whose answers come to this path: SAML has one of its own. */
export function findAnswering(
  ctx: Pick<Context, 'providers'>,
  name: string,
  { path, isSaml }: { readonly path: string; readonly isSaml: boolean },
): RedirectProvider {
  const provider = findRedirectProvider(ctx, name, path)
  if ((provider.driver === 'saml') === isSaml) return provider
  throw new TandemError({ kind: 'route-not-found', path })
}

type Answered = {
  readonly provider: RedirectProvider
  readonly flow: AnsweredFlow
  readonly parameters: URLSearchParams
  readonly request: HttpRequest
}

/** Finishes the login: with the tokens, or on the page to return to with their cookies or the reason of a failure. */
export const answerFlow = (ctx: Context, { provider, flow, parameters, request }: Answered) =>
  replyWithLogin(ctx, { ...flow, request }, () => identifyFlow(ctx, provider, { flow, parameters }))

type FormFields = { readonly [field: string]: unknown }

export const toForm = (form: FormFields): URLSearchParams =>
  new URLSearchParams(Object.entries(form).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

/** The same for an answer that the browser brings as a form. */
export async function answerForm(
  ctx: Context,
  provider: RedirectProvider,
  { form, request }: { readonly form: FormFields; readonly request: HttpRequest },
) {
  const parameters = toForm(form)
  const state = parameters.get('state') ?? parameters.get('RelayState') ?? ''
  const flow = matchAnswer(ctx, provider, { token: readFlowCookie(request, provider.name), state })
  if (flow !== null) return withoutFlow(await answerFlow(ctx, { provider, flow, parameters, request }), provider, flow)
  const { origin } = request
  const page = pageOfAnswer(ctx, provider, state, origin)
  const mode = page === null ? 'json' : provider.mode
  return replyWithLogin(ctx, { page, mode, request }, () =>
    identifyUnsolicited(ctx, provider, { origin, path: callbackOf(ctx, provider), parameters }),
  )
}

type LoginTarget = { readonly page: string | null; readonly mode: string; readonly request: HttpRequest }

async function replyWithLogin(
  ctx: Context,
  { page, mode, request }: LoginTarget,
  identify: () => Promise<SessionUser>,
) {
  const finish = async () => replyTokens(ctx, await openSession(ctx, await identify()), mode as Mode)
  if (page === null) return finish()
  try {
    const { cookies = [] } = await finish()
    return withCookies(redirect(page), cookies)
  } catch (error) {
    return redirect(withReason(page, error, request))
  }
}

/** The page with the code of the error as `reason`. Errors that are bugs are thrown. */
export function withReason(page: string, error: unknown, request: HttpRequest): string {
  if (!(error instanceof TandemError)) throw error
  const { code } = (toErrorBody(error, request).body as { readonly error: { readonly code: string } }).error
  const url = new URL(page)
  url.searchParams.set('reason', code)
  return url.href
}

/** The prompt of the provider; a parameter without a value asks for the consent. */
export const toPrompt = (input: string | undefined): string | null =>
  input === undefined ? null : input === '' || input === 'true' ? 'consent' : input
