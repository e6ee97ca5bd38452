/** A version-8 installation for tests, as statements of MySQL: the system tables of 8.8, and a magazine in them. */

const id = 'id int unsigned not null auto_increment primary key'
const flag = (name: string, value: 0 | 1) => `\`${name}\` tinyint(1) unsigned not null default ${value}`
const table = (name: string, ...columns: readonly string[]) =>
  `create table directus_${name} (${columns.join(', ')}) engine=InnoDB default charset=utf8`

/** The system tables of 8.8.1. */
export const systemTables: readonly string[] = [
  table(
    'activity',
    id,
    'action varchar(45) not null, action_by int unsigned not null default 0, action_on datetime not null',
    'ip varchar(50) not null, user_agent varchar(255) not null, collection varchar(64) not null',
    'item varchar(255) not null, edited_on datetime, comment text character set utf8mb4, comment_deleted_on datetime',
  ),
  table(
    'collection_presets',
    id,
    'title varchar(255), user int unsigned, role int unsigned, collection varchar(64) not null',
    'search_query varchar(100), filters text, view_type varchar(100) not null default "tabular"',
    'view_query text, view_options text, translation text, unique (user, collection, title)',
  ),
  table(
    'collections',
    'collection varchar(64) not null primary key',
    flag('managed', 1),
    flag('hidden', 0),
    flag('single', 0),
    'icon varchar(30), note varchar(255), translation text',
  ),
  table(
    'fields',
    id,
    'collection varchar(64) not null, field varchar(64) not null, type varchar(64) not null, interface varchar(64)',
    'options text',
    flag('locked', 0),
    'validation varchar(500)',
    ...['required', 'readonly', 'hidden_detail', 'hidden_browse'].map((name) => flag(name, 0)),
    'sort int unsigned, width varchar(50) default "full", `group` int unsigned, note varchar(1024), translation text',
    'unique idx_collection_field (collection, field)',
  ),
  table(
    'files',
    id,
    'storage varchar(50) not null default "local", private_hash varchar(16), filename_disk varchar(255) not null',
    'filename_download varchar(255) not null, title varchar(255), type varchar(255), uploaded_by int unsigned not null',
    'uploaded_on datetime not null, charset varchar(50), filesize int unsigned not null default 0, width int unsigned',
    'height int unsigned, duration int, embed varchar(200), folder int unsigned, description text',
    'location varchar(200), tags varchar(255), checksum varchar(32), metadata text',
  ),
  table('folders', id, 'name varchar(191) not null, parent_folder int unsigned, unique (name, parent_folder)'),
  table('migrations', 'version bigint not null primary key, migration_name varchar(100)'),
  table(
    'permissions',
    id,
    'collection varchar(64) not null, role int unsigned not null, status varchar(64)',
    ...['create', 'read', 'update', 'delete'].map((name) => `\`${name}\` varchar(16) default "none"`),
    'comment varchar(8) default "none", `explain` varchar(8) default "none", read_field_blacklist varchar(1000)',
    'write_field_blacklist varchar(1000), status_blacklist varchar(1000)',
  ),
  table(
    'relations',
    id,
    'collection_many varchar(64) not null, field_many varchar(45) not null, collection_one varchar(64)',
    'field_one varchar(64), junction_field varchar(64)',
  ),
  table(
    'revisions',
    id,
    'activity int unsigned not null, collection varchar(64) not null, item varchar(255) not null',
    'data longtext not null, delta longtext, parent_collection varchar(64), parent_item varchar(255)',
    'parent_changed tinyint(1) unsigned default 0',
  ),
  table(
    'roles',
    id,
    'name varchar(100) not null unique, description varchar(500), ip_whitelist text, external_id varchar(255) unique',
    'module_listing text, collection_listing text, enforce_2fa tinyint(1) default 0',
  ),
  table('settings', id, '`key` varchar(64) not null unique, value text'),
  table(
    'user_sessions',
    id,
    'user int unsigned, token_type varchar(255), token varchar(520), ip_address varchar(255), user_agent text',
    'created_on datetime, token_expired_at datetime',
  ),
  table(
    'users',
    id,
    'status varchar(16) not null default "draft", role int, first_name varchar(50), last_name varchar(50)',
    'email varchar(128) not null collate utf8_bin, password varchar(255), token varchar(255) unique',
    'timezone varchar(32) not null default "UTC", locale varchar(8), locale_options text, avatar int unsigned',
    'company varchar(191), title varchar(191), email_notifications int(1) not null default 1',
    'last_access_on datetime, last_page varchar(192), external_id varchar(255) unique, theme varchar(100) default "auto"',
    '2fa_secret varchar(100), password_reset_token varchar(520), unique idx_users_email (email)',
  ),
  table(
    'webhooks',
    id,
    'status varchar(16) not null default "inactive", http_action varchar(255), url varchar(510)',
    'collection varchar(255), directus_action varchar(255)',
  ),
]

/** A value as a literal of MySQL. */
const literal = (value: Value): string => {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  if (value instanceof Buffer) return `x'${value.toString('hex')}'`
  const text = typeof value === 'object' ? JSON.stringify(value) : value
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

type Value = string | number | null | undefined | Buffer | object

export type Row = { readonly [column: string]: Value }

/** One statement; columns that only other rows have are null. */
export function insert(name: string, ...rows: readonly Row[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const values = rows.map((row) => `(${columns.map((column) => literal(row[column])).join(', ')})`)
  return `insert into \`${name}\` (${columns.map((column) => `\`${column}\``).join(', ')}) values ${values.join(', ')}`
}
