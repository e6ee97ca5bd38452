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
    title: 'Moving here',
    pages: [
      page(
        'from-version-8',
        'From version 8',
        'Take over an installation of version 8, and move its clients one by one.',
      ),
      page('from-directus', 'From Directus', 'Take over a project of Directus 10 to 12.'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('transactions', 'Transactions', 'Several writes in one transaction, and writes that can be sent again.'),
      page('providers', 'Identity providers', 'Logins by OpenID Connect, OAuth 2.0 and LDAP.'),
      page('scim', 'SCIM', 'Users and groups that an identity provider creates and disables.'),
      page('project-as-files', 'A project as files', 'Data model, roles, rights and settings in version control.'),
      page('mariadb', 'MariaDB', 'What differs where the database is MariaDB.'),
      page('operation', 'Operation', 'Metrics, traces, slow statements, health and the response cache.'),
    ],
  },
]

export const pages: readonly GuidePage[] = sections.flatMap((section) => section.pages)
