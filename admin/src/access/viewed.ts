/** The user as whom an administrator sees the application; kept as long as the tab is open. */
export type Viewed = { readonly id: string; readonly name: string }

const stored = 'tandem-view-as'

export const viewedUser = (): Viewed | null => JSON.parse(sessionStorage.getItem(stored) ?? 'null') as Viewed | null

export const setViewedUser = (user: Viewed | null): void => {
  if (user === null) sessionStorage.removeItem(stored)
  else sessionStorage.setItem(stored, JSON.stringify(user))
}
