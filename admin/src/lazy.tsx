/** Parts that are loaded when they are first shown. */
import { Alert, Button, Skeleton } from '@mui/material'
import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import { Loading, useTranslate } from 'react-admin'
import { reloadOr } from './layout/new-build.ts'

/** `later(() => import('./page.tsx'), 'Page')`: the named component of a module. */
export const later = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name): Module[Name] =>
  loaded(load, name, <Loading />)

/** The same for a part of a page, whose place is held by a bar of the height of an input. */
export const laterPart = <Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name): Module[Name] =>
  loaded(load, name, <Skeleton variant="rounded" height={40} sx={{ my: 1 }} />)

function loaded<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  waiting: ReactNode,
): Module[Name] {
  const begin = (): ComponentType<object> =>
    lazy(async () => ({ default: (await load().catch(fail))[name] as ComponentType<object> }))
  return waitingFor(begin, waiting) as Module[Name]
}

class LoadingFailed extends Error {}

const fail = (cause: unknown): Promise<never> =>
  reloadOr(new LoadingFailed('A part of the application was not loaded', { cause }))

function waitingFor(begin: () => ComponentType<object>, waiting: ReactNode): ComponentType<object> {
  let shared = begin()
  return (props) => {
    const [Part, setPart] = useState(() => shared)
    const again = (): void => {
      shared = begin()
      setPart(() => shared)
    }
    return (
      <Guard key={String(Part === shared)} fallback={(reset) => <NotLoaded onAgain={() => (again(), reset())} />}>
        <Suspense fallback={waiting}>
          <Part {...props} />
        </Suspense>
      </Guard>
    )
  }
}

type GuardProps = { readonly children: ReactNode; readonly fallback: (reset: () => void) => ReactNode }

/** Shows the fallback in place of a part that could not be loaded; other errors go on. */
class Guard extends Component<GuardProps, { readonly error: unknown }> {
  override state = { error: null as unknown }
  static getDerivedStateFromError = (error: unknown) => ({ error })
  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    if (!(error instanceof LoadingFailed)) throw error
    return this.props.fallback(() => this.setState({ error: null }))
  }
}

const NotLoaded = ({ onAgain }: { readonly onAgain: () => void }) => {
  const translate = useTranslate()
  return (
    <Alert
      severity="error"
      sx={{ my: 1 }}
      action={
        <Button color="inherit" size="small" onClick={onAgain}>
          {translate('app.loading.again')}
        </Button>
      }
    >
      {translate('app.loading.failed')}
    </Alert>
  )
}
