import englishMessages from 'ra-language-english'
import { editing } from './en-editing.ts'
import { choices, collections, fields } from './en-fields.ts'
import { lists } from './en-lists.ts'
import { dataModel } from './en-model.ts'
import { platform } from './en-platform.ts'
import { problems } from './en-problems.ts'
import { more } from './en-sharing.ts'

/** The texts of the application itself; those of react-admin come with it. */
const app = {
  ...more,
  ...editing,
  ...lists,
  ...dataModel,
  ...platform,
  ...problems,
  collections,
  fields,
  choices,
  menu: {
    home: 'Home',
    content: 'Content',
    platform: 'Platform',
    access: 'Access',
    files: 'Files',
    users: 'Users',
    roles: 'Roles',
    policies: 'Policies',
    explain: 'Explain access',
    administration: 'Administration',
    model: 'Data model',
    settings: 'Settings',
    activity: 'Activity',
    webhooks: 'Webhooks',
    moving_on: 'Moving on',
    profile: 'My profile',
    navigation: 'Pages',
    account: 'Account of %{name}',
    logout: 'Log out',
  },
  home: {
    none: 'There are no collections that you may read.',
    none_admin: 'There are no collections yet.',
    first_collection: 'Create the first collection',
    apis: 'For programs',
    guide: 'Guide',
    reference: 'API reference',
    graphiql: 'GraphiQL',
    openapi: 'My OpenAPI document',
  },
  no_access: {
    title: 'No access to the application',
    text: 'None of your policies lets you use this application. Ask an administrator to give you a policy with access to it.',
  },
  login: {
    email: 'E-mail address',
    password: 'Password',
    code: 'One-time code',
    kept: 'What you had not saved is kept in this browser.',
    submit: 'Log in',
    forgot: 'Forgotten your password?',
    or: 'or',
    with: 'Log in with %{name}',
    wrong: 'Address or password is wrong.',
    name: 'User name',
    accounts: 'Account of',
    own: 'This server',
    unknown: 'The provider knows you, but you have no account here.',
    taken: 'Your address belongs to another account here.',
    code_needed: 'Enter the one-time code of your authenticator.',
    code_wrong: 'This code is wrong or was used already.',
    too_many: 'There were too many attempts. Try again later.',
    suspended: 'This account is suspended.',
    failed: 'The login failed. Try again later.',
  },
  stopped: {
    title: 'The server does not answer as it should',
    again: 'Try again',
  },
  item: { saved: 'Saved', create: '%{name} · New' },
}

const { ra } = englishMessages

export const english = {
  ...englishMessages,
  ra: {
    ...ra,
    page: { ...ra.page, edit: '%{name} · %{recordRepresentation}' },
    // The title of the dialog names it.
    message: {
      ...ra.message,
      delete_content: 'Are you sure you want to delete this item?',
      bulk_delete_content:
        'Are you sure you want to delete this item? |||| Are you sure you want to delete these %{smart_count} items?',
    },
  },
  app,
}
