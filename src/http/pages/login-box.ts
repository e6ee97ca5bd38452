/** A line above the pages for people: who is logged in, and so whose schema they show, with a login and a logout. */

type Answer = { readonly data?: unknown; readonly errors?: readonly { readonly extensions?: { code?: string } }[] }
type LoginMethods = {
  readonly data: readonly { readonly name: string; readonly driver: string; readonly label?: string }[]
  readonly disableDefault: boolean
}
type User = { readonly email?: string | null; readonly first_name?: string | null; readonly id?: string }

/** Its source is sent to the browser, so that it cannot use anything outside itself. It fills `#login`. */
export function loginBox(): void {
  const page = document
  const root = new URL('..', (page.currentScript as HTMLScriptElement).src)
  const container = document.getElementById('login') as HTMLElement
  const shown = container.dataset['shows'] ?? 'This page'
  /** Whether this page has logged somebody in, whose own record may not be readable. */
  const mark = 'tandem-login'

  const make = <Name extends keyof HTMLElementTagNameMap>(
    name: Name,
    attributes: { readonly [attribute: string]: string } = {},
    ...children: readonly (string | Node)[]
  ): HTMLElementTagNameMap[Name] => {
    const element = page.createElement(name)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
    element.append(...children)
    return element
  }

  const post = async (path: string, body: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', accept: 'application/json' }
    const response = await fetch(new URL(path, root), { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (!response.headers.get('content-type')?.includes('json')) return response.ok ? {} : { errors: [{}] }
    return JSON.parse(text) as Answer
  }

  const readUser = async (): Promise<User | null> => {
    const { data } = await post('graphql/system', { query: '{ users_me { id email first_name } }' })
    const user = (data as { users_me?: User | null } | null | undefined)?.users_me ?? null
    if (user !== null || localStorage.getItem(mark) === null) return user
    const response = await fetch(new URL('users/me', root))
    if (response.ok) return ((await response.json()) as { readonly data: User }).data
    localStorage.removeItem(mark)
    return null
  }

  const field = (label: string, attributes: { readonly [attribute: string]: string }): HTMLLabelElement =>
    make('label', {}, label, make('input', attributes))

  /** The providers; without an answer, as if there were none. */
  const readWays = async (): Promise<LoginMethods> => {
    const none = { data: [], disableDefault: false }
    const response = await fetch(new URL('auth', root)).catch(() => null)
    return response?.ok === true ? ((await response.json()) as LoginMethods) : none
  }

  const providerLink = ({ name, label }: LoginMethods['data'][number]): HTMLAnchorElement => {
    const target = new URL(`auth/login/${name}`, root)
    const back = new URL(location.href)
    back.searchParams.delete('reason')
    target.search = new URLSearchParams({ mode: 'session', redirect: back.href }).toString()
    const link = make('a', { href: target.href, class: 'login-provider' }, `Log in with ${label ?? name}`)
    link.addEventListener('click', () => localStorage.setItem(mark, 'yes'))
    return link
  }

  const passwordDrivers = ['ldap', 'local']
  const takesPassword = ({ driver }: LoginMethods['data'][number]): boolean => passwordDrivers.includes(driver)

  /** Name and password, after a choice of the account's kind if there are several; none if there are only links. */
  const credentialFields = ({ data, disableDefault }: LoginMethods): readonly Node[] => {
    const providers = data.filter(takesPassword)
    if (disableDefault && providers.length === 0) return []
    const account = make(
      'select',
      { name: 'account' },
      ...(disableDefault ? [] : [make('option', { value: '' }, 'This server')]),
      ...providers.map(({ name, label }) => make('option', { value: name }, label ?? name)),
    )
    const user = field('E-mail address', { name: 'email', type: 'email', required: '', autocomplete: 'username' })
    const followAccount = (): void => {
      const isHere = account.value === ''
      ;(user.querySelector('input') as HTMLInputElement).type = isHere ? 'email' : 'text'
      ;(user.firstChild as Text).data = isHere ? 'E-mail address' : 'Name'
    }
    account.addEventListener('change', followAccount)
    followAccount()
    const password = { name: 'password', type: 'password', required: '', autocomplete: 'current-password' }
    const choice = providers.length === 0 ? [] : [make('label', {}, 'Account', account)]
    return [...choice, user, field('Password', password)]
  }

  /** The code of the error; null = logged in. */
  const logIn = async (form: HTMLFormElement): Promise<string | null> => {
    const entries = Object.fromEntries(new FormData(form)) as { readonly [name: string]: string }
    const { otp, account = '', email, ...rest } = entries
    const path = account === '' ? 'auth/login' : `auth/login/${account}`
    const user = account === '' ? { email } : { identifier: email }
    const { errors } = await post(path, { ...user, ...rest, ...(otp ? { otp } : {}), mode: 'session' })
    return errors === undefined ? null : (errors[0]?.extensions?.code ?? '')
  }

  const problems: { readonly [error: string]: string } = {
    REQUESTS_EXCEEDED: 'There were too many attempts. Try again later.',
    INVALID_OTP: 'This code is wrong or was used already.',
  }
  const problemOf = (error: string, hasCode: boolean): string => {
    if (error === 'INVALID_OTP' && !hasCode) return 'Enter the one-time code of your authenticator.'
    return problems[error] ?? 'Address or password is wrong.'
  }

  const openLogin = (ways: LoginMethods, message = ''): void => {
    const links = ways.data.filter((each) => !takesPassword(each)).map(providerLink)
    const credentials = credentialFields(ways)
    const otp = make('input', { name: 'otp', inputmode: 'numeric', autocomplete: 'one-time-code' })
    const code = make('label', { hidden: '' }, 'One-time code', otp)
    const problem = make('p', { role: 'alert' }, message)
    const cancel = make('button', { type: 'button' }, 'Cancel')
    const submit = make('button', { type: 'submit', class: 'login-main' }, 'Log in')
    const buttons = make('div', { class: 'login-buttons' }, cancel, ...(credentials.length === 0 ? [] : [submit]))
    const fields = [make('h2', {}, 'Log in'), ...links, ...credentials, code, problem, buttons]
    const form = make('form', { method: 'dialog' }, ...fields)
    const dialog = make('dialog', { 'aria-label': 'Log in', class: 'login-dialog' }, form)
    const tryLogin = async (): Promise<void> => {
      problem.textContent = ''
      const hasCode = otp.value !== ''
      const error = await logIn(form)
      if (error === null) {
        localStorage.setItem(mark, 'yes')
        return location.reload()
      }
      problem.textContent = problemOf(error, hasCode)
      if (error !== 'INVALID_OTP') return
      code.hidden = false
      otp.focus()
    }
    cancel.addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => dialog.remove())
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      tryLogin().catch(() => {
        problem.textContent = 'The server did not answer.'
      })
    })
    document.body.append(dialog)
    dialog.showModal()
  }

  const logOut = async (): Promise<void> => {
    await post('auth/logout', { mode: 'session' })
    localStorage.removeItem(mark)
    location.reload()
  }

  const show = (user: User | null): void => {
    const name = user?.email ?? user?.first_name ?? user?.id
    const status = make('span', { class: 'login-status', role: 'status' })
    if (user === null) status.append(`${shown} shows what visitors may use.`)
    else status.append(`${shown} shows what `, make('strong', {}, name ?? 'you'), ' may use.')
    const button = make('button', { type: 'button' }, user === null ? 'Log in' : 'Log out')
    button.addEventListener('click', () => {
      if (user === null) void readWays().then((ways) => openLogin(ways))
      else void logOut()
    })
    const home = make(
      'a',
      { href: root.href, class: 'login-home' },
      make('img', { src: new URL('docs/icon.svg', root).href, alt: '' }),
      'Tandem',
    )
    container.replaceChildren(home, status, button)
    container.dispatchEvent(new CustomEvent('login', { detail: user }))
    const reason = new URLSearchParams(location.search).get('reason')
    if (user === null && reason !== null)
      void readWays().then((ways) => openLogin(ways, `The login was refused (${reason.slice(0, 40)}).`))
  }

  readUser().then(show, () => show(null))
}

/** Light and dark, and the viewer's own switch in `/docs`. */
export const loginStyle = `
#login { --line: #d8dbe2; --back: #fff; --text: #1d2433; --soft: #5a6478; --main: #4a3aff; --on-main: #fff; box-sizing: border-box; display: flex; align-items: center; gap: .75rem; min-height: 44px; padding: .35rem 1rem; border-bottom: 1px solid var(--line); background: var(--back); color: var(--text); font: 14px/1.4 system-ui, sans-serif; }
.login-home { display: inline-flex; align-items: center; gap: .45rem; color: inherit; font-weight: 650; text-decoration: none; }
.login-home img { width: 22px; height: 22px; }
.login-status { margin-left: auto; color: var(--soft); text-align: right; overflow-wrap: anywhere; }
.login-status strong { color: var(--text); }
#login button, .login-dialog button { padding: .35rem .8rem; border: 1px solid #8a92a3; border-radius: 6px; background: transparent; color: inherit; font: inherit; cursor: pointer; white-space: nowrap; }
.login-dialog { --back: #fff; --text: #1d2433; --main: #4a3aff; --on-main: #fff; width: min(22rem, calc(100vw - 2rem)); box-sizing: border-box; padding: 1.4rem; border: 1px solid #8a92a3; border-radius: 12px; background: var(--back); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
.login-dialog::backdrop { background: rgb(10 12 20 / .55); }
.login-dialog h2 { margin: 0 0 1rem; font-size: 1.2rem; }
.login-dialog label { display: block; margin-bottom: .8rem; }
.login-dialog label[hidden] { display: none; }
.login-dialog input { display: block; box-sizing: border-box; width: 100%; margin-top: .2rem; padding: .5rem .6rem; border: 1px solid #8a92a3; border-radius: 6px; background: transparent; color: inherit; font: inherit; }
.login-provider { display: block; margin-bottom: .6rem; padding: .5rem .8rem; border: 1px solid #8a92a3; border-radius: 6px; color: inherit; text-align: center; text-decoration: none; }
.login-dialog select { display: block; width: 100%; margin-top: .2rem; padding: .5rem .6rem; border: 1px solid #8a92a3; border-radius: 6px; background: var(--back); color: inherit; font: inherit; }
.login-dialog p { min-height: 1.5em; margin: 0 0 .5rem; color: #c22f2f; }
.login-buttons { display: flex; justify-content: flex-end; gap: .6rem; }
.login-dialog .login-main { border-color: var(--main); background: var(--main); color: var(--on-main); }
#login button:focus-visible, .login-dialog :focus-visible { outline: 2px solid #8d82ff; outline-offset: 2px; }
html.dark-mode #login, html.dark-mode .login-dialog { --line: #333a48; --back: #171b24; --text: #eceff5; --soft: #a9b2c3; --main: #9a90ff; --on-main: #14122b; }
html.dark-mode .login-dialog p { color: #ff8f8f; }
@media (prefers-color-scheme: dark) {
  html:not(.light-mode, .with-switch) #login, html:not(.light-mode, .with-switch) .login-dialog { --line: #333a48; --back: #171b24; --text: #eceff5; --soft: #a9b2c3; --main: #9a90ff; --on-main: #14122b; }
  html:not(.light-mode, .with-switch) .login-dialog p { color: #ff8f8f; }
}
`
