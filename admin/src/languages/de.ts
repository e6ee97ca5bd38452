import { editing } from './de-editing.ts'
import { choices, collections, fields } from './de-fields.ts'
import { ra, type Texts } from './de-framework.ts'
import { lists } from './de-lists.ts'
import { dataModel } from './de-model.ts'
import { platform } from './de-platform.ts'
import { problems } from './de-problems.ts'
import { more } from './de-sharing.ts'
import type { english } from './en.ts'

const app: Texts<(typeof english)['app']> = {
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
    home: 'Übersicht',
    content: 'Inhalte',
    platform: 'Plattform',
    access: 'Zugriff',
    files: 'Dateien',
    users: 'Benutzer',
    roles: 'Rollen',
    policies: 'Richtlinien',
    explain: 'Zugriff erklären',
    administration: 'Verwaltung',
    model: 'Datenmodell',
    settings: 'Einstellungen',
    activity: 'Aktivität',
    webhooks: 'Webhooks',
    moving_on: 'Umstieg',
    profile: 'Mein Profil',
    navigation: 'Seiten',
    account: 'Konto von %{name}',
    logout: 'Abmelden',
  },
  home: {
    none: 'Es gibt keine Sammlungen, die Sie lesen dürfen.',
    none_admin: 'Es gibt noch keine Sammlungen.',
    first_collection: 'Die erste Sammlung anlegen',
    apis: 'Für Programme',
    guide: 'Anleitung',
    reference: 'API-Referenz',
    graphiql: 'GraphiQL',
    openapi: 'Mein OpenAPI-Dokument',
  },
  no_access: {
    title: 'Kein Zugriff auf die Anwendung',
    text: 'Keine Ihrer Richtlinien erlaubt diese Anwendung. Bitten Sie einen Administrator um eine Richtlinie, die sie erlaubt.',
  },
  login: {
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    code: 'Einmalcode',
    kept: 'Was Sie nicht gespeichert hatten, ist in diesem Browser aufgehoben.',
    submit: 'Anmelden',
    forgot: 'Passwort vergessen?',
    or: 'oder',
    with: 'Anmelden mit %{name}',
    wrong: 'Adresse oder Passwort ist falsch.',
    name: 'Benutzername',
    accounts: 'Konto von',
    own: 'Dieser Server',
    unknown: 'Der Anbieter kennt Sie, aber Sie haben hier kein Konto.',
    taken: 'Ihre Adresse gehört hier zu einem anderen Konto.',
    code_needed: 'Geben Sie den Einmalcode Ihrer Authenticator-App ein.',
    code_wrong: 'Dieser Code ist falsch oder wurde schon benutzt.',
    too_many: 'Es gab zu viele Versuche. Versuchen Sie es später wieder.',
    suspended: 'Dieses Konto ist gesperrt.',
    failed: 'Die Anmeldung ist fehlgeschlagen. Versuchen Sie es später wieder.',
  },
  stopped: {
    title: 'Der Server antwortet nicht, wie er sollte',
    again: 'Noch einmal versuchen',
  },
  item: { saved: 'Gespeichert', create: '%{name} · Neu' },
}

export const german = { ra, app }
