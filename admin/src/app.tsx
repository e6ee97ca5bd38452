/** The application: one resource per collection that the user may read, and pages of its own. */

import { CssBaseline } from '@mui/material'
import { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import {
  AccessDenied,
  AdminContext,
  AuthenticationError,
  CoreAdminUI,
  CustomRoutes,
  Error as ErrorPage,
  type I18nProvider,
  LoadingPage,
  localStorageStore,
  Resource,
} from 'react-admin'
import { createBrowserRouter, Navigate, Route, RouterProvider, useParams } from 'react-router'
import { authProvider } from './api/auth-provider.ts'
import { dataProvider } from './api/data-provider.ts'
import { onStopped, stoppedBy } from './api/stopped.ts'
import { applicationUrl } from './client.ts'
import { LoginPage } from './layout/login.tsx'
import { mayRead } from './layout/may-read.ts'
import { NotFound } from './layout/not-found.tsx'
import { Notices } from './layout/notices.tsx'
import { SessionEnd } from './layout/session-end.tsx'
import { darkTheme, lightTheme } from './layout/themes.ts'
import { later } from './lazy.tsx'
import { hasRight, type Model } from './model/model.ts'
import { toResource, toSystemPath } from './model/names.ts'
import { toLabel, toRecordText } from './model/texts.ts'

const AppLayout = later(() => import('./layout/layout.tsx'), 'AppLayout')
const Home = later(() => import('./layout/home.tsx'), 'Home')
const Stopped = later(() => import('./layout/stopped.tsx'), 'Stopped')
const NoAccess = later(() => import('./layout/no-access.tsx'), 'NoAccess')
const ItemList = later(() => import('./content/item-list.tsx'), 'ItemList')
const ItemEdit = later(() => import('./content/item-edit.tsx'), 'ItemEdit')
const ItemCreate = later(() => import('./content/item-create.tsx'), 'ItemCreate')
const SingletonEdit = later(() => import('./content/singleton.tsx'), 'SingletonEdit')

const AccessPage = later(() => import('./layout/section-page.tsx'), 'AccessPage')
const AdministrationPage = later(() => import('./layout/section-page.tsx'), 'AdministrationPage')
const SharedItem = later(() => import('./visitors/shared-item.tsx'), 'SharedItem')
const ForgotPassword = later(() => import('./visitors/forgot-password.tsx'), 'ForgotPassword')
const ResetPassword = later(() => import('./visitors/new-password.tsx'), 'ResetPassword')
const AcceptInvite = later(() => import('./visitors/new-password.tsx'), 'AcceptInvite')
const PolicyPage = later(() => import('./access/policy-page.tsx'), 'PolicyPage')
const RolePage = later(() => import('./access/role-page.tsx'), 'RolePage')
const ExplainPage = later(() => import('./access/explain.tsx'), 'ExplainPage')
const Library = later(() => import('./files/library.tsx'), 'Library')
const FilePage = later(() => import('./files/file-page.tsx'), 'FilePage')
const CollectionsPage = later(() => import('./data-model/collections.tsx'), 'CollectionsPage')
const CollectionPage = later(() => import('./data-model/collection-page.tsx'), 'CollectionPage')
const WebhookList = later(() => import('./webhooks/webhook-list.tsx'), 'WebhookList')
const WebhookPage = later(() => import('./webhooks/webhook-page.tsx'), 'WebhookPage')
const WebhookCreate = later(() => import('./webhooks/webhook-create.tsx'), 'WebhookCreate')
const MovingOnPage = later(() => import('./system/moving-on.tsx'), 'MovingOnPage')
const ActivityList = later(() => import('./system/activity.tsx'), 'ActivityList')
const SettingsPage = later(() => import('./system/settings.tsx'), 'SettingsPage')
const ProfilePage = later(() => import('./system/profile.tsx'), 'ProfilePage')

// Without a network, a request fails and is told, rather than waits in silence.
const networkMode = 'always'

const queryClient = new QueryClient({
  defaultOptions: {
    queries: { refetchOnWindowFocus: false, retry: false, staleTime: 5_000, networkMode },
    mutations: { networkMode },
  },
})

const store = localStorageStore()

/** Leaving a form with unsaved changes can only be stopped by a router of this kind. */
export const App = ({ i18nProvider }: { readonly i18nProvider: I18nProvider }) => {
  const routes = [{ path: '*', element: <Pages i18nProvider={i18nProvider} /> }]
  return (
    <RouterProvider
      router={createBrowserRouter(routes, { basename: applicationUrl.pathname.replace(/\/$/, '') || '/' })}
    />
  )
}

/** The parts of the framework's own `Admin`, without its login page, layout and menu, which are not used here. */
const Pages = ({ i18nProvider }: { readonly i18nProvider: I18nProvider }) => {
  const problem = useSyncExternalStore(onStopped, stoppedBy)
  return (
    <AdminContext
      authProvider={authProvider}
      dataProvider={dataProvider}
      i18nProvider={i18nProvider}
      queryClient={queryClient}
      store={store}
      theme={lightTheme}
      darkTheme={darkTheme}
    >
      <CssBaseline enableColorScheme>
        {problem === null ? <AllPages /> : <Stopped problem={problem} />}
        <Notices />
        <SessionEnd />
      </CssBaseline>
    </AdminContext>
  )
}

const AllPages = () => (
  <CoreAdminUI
    layout={AppLayout}
    loginPage={LoginPage}
    authCallbackPage={false}
    catchAll={NotFound}
    dashboard={Home}
    loading={LoadingPage}
    error={ErrorPage}
    accessDenied={AccessDenied}
    authenticationError={AuthenticationError}
    requireAuth
    disableTelemetry
    title="Tandem"
  >
    <CustomRoutes noLayout>
      <Route path="/shared/:share" element={<SharedItem />} />
      <Route path="/forgot-password" element={<ForgotPassword />} />
      <Route path="/reset-password" element={<ResetPassword />} />
      <Route path="/accept-invite" element={<AcceptInvite />} />
    </CustomRoutes>
    {(model: Model | undefined) => (model?.collections === undefined ? [] : resourcesOf(model))}
  </CoreAdminUI>
)

function resourcesOf(model: Model) {
  if (!model.hasApp) return [<Resource key="none" name="none" list={NoAccess} />]
  return [
    ...contentOf(model),
    ...systemOf(model),
    <CustomRoutes key="pages">
      <Route path="/profile" element={<ProfilePage />} />
      {mayRead(model, 'files') && <Route path="/files" element={<Library />} />}
      <Route path="/content" element={<Navigate to="/" replace />} />
      <Route path="/system" element={<Navigate to="/administration" replace />} />
      <Route path="/access" element={<AccessPage />} />
      <Route path="/administration" element={<AdministrationPage />} />
      {['users', 'roles', 'policies', 'webhooks', 'activity'].map((name) => (
        <Route key={name} path={`/${name}/:id?`} element={<ToRecords name={name} />} />
      ))}
      <Route path="/explain" element={<ExplainPage />} />
      {model.isAdmin && <Route path="/model" element={<CollectionsPage />} />}
      {model.isAdmin && <Route path="/model/:collection" element={<CollectionPage />} />}
      {model.isAdmin && <Route path="/settings" element={<SettingsPage />} />}
      {model.isAdmin && <Route path="/moving-on" element={<MovingOnPage />} />}
    </CustomRoutes>,
  ]
}

/** Addresses without `system/`, as links of the server and of people have them. */
const ToRecords = ({ name }: { readonly name: string }) => {
  const { id } = useParams()
  return <Navigate to={`/system/${name}${id === undefined ? '' : `/${id}`}`} replace />
}

const contentOf = (model: Model) =>
  [...model.collections.values()]
    .filter((each) => !each.isFolder && !each.isSystem && hasRight(each, 'read'))
    .map((collection) => {
      const pages = collection.meta.singleton
        ? { list: SingletonEdit }
        : {
            list: ItemList,
            ...(collection.key !== null && { edit: ItemEdit }),
            ...(hasRight(collection, 'create') && { create: ItemCreate }),
          }
      return (
        <Resource
          key={collection.name}
          name={toResource(collection.name)}
          options={{ label: toLabel(collection) }}
          recordRepresentation={(row) => toRecordText(model, collection, row)}
          {...pages}
        />
      )
    })

/** Records of the platform that have pages, with those that are not like the pages of items. */
const systemPages: { readonly [records: string]: object } = {
  users: {},
  roles: { edit: RolePage },
  policies: { edit: PolicyPage },
  files: { edit: FilePage },
  folders: {},
  webhooks: { list: WebhookList, edit: WebhookPage, create: WebhookCreate },
  activity: { list: ActivityList, edit: undefined, create: undefined },
}

const systemOf = (model: Model) =>
  [...model.collections.values()]
    .filter(({ isSystem, name }) => isSystem && Object.hasOwn(systemPages, toSystemPath(name)))
    .filter((each) => hasRight(each, 'read'))
    .map((collection) => (
      <Resource
        key={collection.name}
        name={toResource(collection.name)}
        options={{ label: toLabel(collection) }}
        recordRepresentation={(row) => toRecordText(model, collection, row)}
        list={ItemList}
        edit={ItemEdit}
        {...(hasRight(collection, 'create') && { create: ItemCreate })}
        {...systemPages[toSystemPath(collection.name)]}
      />
    ))
