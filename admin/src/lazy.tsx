/** Parts that are loaded when they are first shown. */
import { type ComponentType, lazy, Suspense } from 'react'
import { Loading } from 'react-admin'

/** `later(() => import('./page.tsx'), 'Page')`: the named component of a module. */
export function later<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name): Module[Name] {
  const Part = lazy(async () => ({ default: (await load())[name] as ComponentType<object> }))
  return waitingFor(Part) as Module[Name]
}

const waitingFor =
  (Part: ComponentType<object>): ComponentType<object> =>
  (props) => (
    <Suspense fallback={<Loading />}>
      <Part {...props} />
    </Suspense>
  )
