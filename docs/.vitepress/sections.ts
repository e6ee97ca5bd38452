/** The pages in their order, for the sidebar and for `llms.txt`. */

type GuidePage = {
  /** Of the file, without its ending. */
  readonly path: string
  readonly name: string
  /** One sentence, which search engines and language models show. */
  readonly about: string
}

type Section = { readonly title: string; readonly pages: readonly GuidePage[] }

const page = (path: string, name: string, about: string): GuidePage => ({ path, name, about })

export const sections: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      page('start', 'Start in five minutes', 'Install, two tables, a write, and a read in both generations.'),
      page(
        'generations',
        'Both generations',
        'One question in four languages, and what differs between the generations.',
      ),
    ],
  },
  {
    title: 'Concepts',
    pages: [
      page('concepts/database', 'One database', 'Two generations of one API over the same rows.'),
      page('concepts/stations', 'The way of a request', 'The stations of a request, and how each of them fails.'),
      page('concepts/rights', 'Rights', 'Roles, policies and permissions, and how they become SQL.'),
      page('concepts/relations', 'Relations', 'Reading, filtering and writing related items.'),
      page('concepts/status', 'Status and archive', 'Items that are not in use, in both generations.'),
      page('concepts/files', 'Files', 'Rows, objects and transformed pictures.'),
      page('concepts/feed', 'The feed of changes', 'Changes in one order, told under the rights of each listener.'),
    ],
  },
  {
    title: 'Moving here',
    pages: [
      page(
        'from-version-8',
        'From version 8',
        'Take over an installation of version 8, and move its clients one by one.',
      ),
      page('from-directus', 'From Directus', 'Take over a project of Directus 10 to 12.'),
      page('own-database', 'Your own database', 'Serve the tables that you have.'),
      page('mariadb', 'MariaDB and MySQL', 'What differs where the database is MariaDB or MySQL.'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('permissions', 'Permissions by example', 'The usual cases, with what the caller then sees.'),
      page('files', 'Files and pictures', 'Uploads, transformations, rights and storage.'),
      page('realtime', 'Realtime', 'Server-Sent Events and WebSocket.'),
      page('webhooks', 'Webhooks', 'Changes that are sent to other programs, signed and in order.'),
      page('scaling', 'More than one machine', 'Replicas of Tandem and of Postgres, and PgBouncer.'),
      page('keys', 'API keys', 'Keys of users for programs, and limits of requests and cost per key.'),
      page('transactions', 'Transactions', 'Several writes in one transaction, and writes that can be sent again.'),
      page('agents', 'Agents', 'Tools for agents by the Model Context Protocol, under the rights of a token.'),
      page('providers', 'Identity providers', 'Logins by OpenID Connect, OAuth, SAML and LDAP.'),
      page('login-attacks', 'Attacks on logins', 'What is tried against logins in the tests, and what comes of it.'),
      page('scim', 'SCIM', 'Users and groups that an identity provider creates and disables.'),
      page('project-as-files', 'A project as files', 'Data model, roles, rights and settings in version control.'),
      page('operation', 'Operation', 'Replicas, metrics, traces, slow statements, health and the response cache.'),
      page('embedding', 'Embedding', 'Tandem as a part of an Express application.'),
      page('testing', 'Testing an application', 'A mock of the server in the process of the test.'),
      page('verify', 'Verifying a deployment', 'Checks of a running deployment from outside, in CI.'),
    ],
  },
  {
    title: 'Recipes',
    pages: [
      page('recipes/fetch', 'Plain fetch', 'Both generations without a package.'),
      page('recipes/react-query', 'React Query', 'A cached list, and a mutation that renews it.'),
      page('recipes/next', 'Next.js', 'A page that the server renders, and a route with a session.'),
      page('recipes/nuxt', 'Nuxt and Vue', 'A route of the server, and a composable that searches.'),
      page('recipes/python', 'Python', 'With the standard library.'),
      page('recipes/go', 'Go', 'With the standard library.'),
      page('recipes/generators', 'Generated clients', 'Public generators and the served OpenAPI document.'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('reference/settings', 'Settings', 'Every variable of the environment.'),
      page('reference/commands', 'Command line', 'Every command and option.'),
      page('reference/errors', 'Errors', 'Every error with the codes of both generations, cause and cure.'),
      page('reference/operators', 'Filter operators', 'Every operator in both generations.'),
      page('reference/functions', 'Functions', 'Functions of fields, and aggregates.'),
      page('reference/transforms', 'Transforms', 'Operations on pictures.'),
    ],
  },
]

export const pages: readonly GuidePage[] = sections.flatMap((section) => section.pages)
