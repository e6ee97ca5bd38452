/** The small project that `tandem init` writes: two collections, a role that writes, and what everybody reads. */

const head = (schema: string): string => `# yaml-language-server: $schema=${schema}\n`

export const exampleProject: { readonly [path: string]: string } = {
  'collections/authors.yaml': `${head('../schemas/collection.json')}collection: authors
display:
  icon: person
  display_template: "{{name}}"
fields:
  id:
    type: integer
    column:
      is_primary_key: true
      has_auto_increment: true
    display:
      hidden: true
  name:
    type: string
    column:
      is_nullable: false
      is_unique: true
    display:
      interface: input
      required: true
  articles:
    type: alias
    display:
      special:
        - o2m
      interface: list-o2m
rights:
  Everybody reads:
    - action: read
      fields:
        - id
        - name
`,
  'collections/articles.yaml': `${head('../schemas/collection.json')}collection: articles
display:
  icon: article
  archive_field: status
  archive_value: archived
  unarchive_value: draft
fields:
  id:
    type: integer
    column:
      is_primary_key: true
      has_auto_increment: true
    display:
      hidden: true
  slug:
    type: string
    column:
      max_length: 100
      is_nullable: false
      is_unique: true
    display:
      interface: input
  title:
    type: string
    column:
      is_nullable: false
    display:
      interface: input
      required: true
  body:
    type: text
    display:
      interface: input-multiline
  status:
    type: string
    column:
      max_length: 20
      is_nullable: false
      default_value: draft
    display:
      interface: select-dropdown
      options:
        choices:
          - text: Draft
            value: draft
          - text: Published
            value: published
          - text: Archived
            value: archived
  author:
    type: integer
    display:
      special:
        - m2o
      interface: select-dropdown-m2o
    relation:
      to: authors
      on_delete: SET NULL
      options:
        one_field: articles
rights:
  Everybody reads:
    - action: read
      permissions:
        status:
          _eq: published
      fields:
        - "*"
  Writes articles:
    - action: create
      fields:
        - "*"
    - action: read
      fields:
        - "*"
    - action: update
      fields:
        - "*"
`,
  'policies/everybody-reads.yaml': `${head('../schemas/policy.json')}policy: Everybody reads
icon: public
public: true
`,
  'policies/writes-articles.yaml': `${head('../schemas/policy.json')}policy: Writes articles
app_access: true
`,
  'roles/editor.yaml': `${head('../schemas/role.json')}role: Editor
icon: edit
policies:
  - Writes articles
`,
  'seed/authors.json': `[
  { "name": "Ann" },
  { "name": "Bo" }
]
`,
  'seed/articles.csv': `slug,title,status,author.name
riding-in-two,Riding in two,published,Ann
one-saddle,One saddle,draft,Bo
`,
  'settings.yaml': `${head('./schemas/settings.json')}project_name: My project
`,
}
