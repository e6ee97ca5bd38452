/** Tables of the magazine, and the settings of their fields. */
import type { Row } from './test-installation.ts'

const statuses = {
  published: {
    name: 'Published',
    text_color: 'white',
    background_color: 'accent',
    published: true,
    soft_delete: false,
    required_fields: true,
  },
  draft: {
    name: 'Draft',
    text_color: 'white',
    background_color: 'blue-grey',
    published: '0',
    soft_delete: '0',
    required_fields: false,
  },
  deleted: {
    name: 'Deleted',
    text_color: 'white',
    background_color: 'red',
    published: false,
    soft_delete: '1',
    required_fields: false,
  },
}

const field = (collection: string, name: string, type: string, more: Row = {}): Row => ({
  collection,
  field: name,
  type,
  interface: null,
  options: null,
  required: 0,
  validation: null,
  sort: null,
  group: null,
  note: null,
  translation: null,
  ...more,
})

export const ownTables: readonly string[] = [
  `create table authors (id int unsigned not null auto_increment primary key, name varchar(100) not null comment 'as printed', account int unsigned, portrait int unsigned) comment='who writes' default charset=latin1`,
  `create table articles (id int unsigned not null auto_increment primary key, status varchar(20) not null default 'draft', sort int unsigned, title varchar(190) not null,
    body mediumtext, author int unsigned, cover int unsigned, tags varchar(255), extra text, featured tinyint(1) not null default 0,
    price decimal(10,2) default '9.90', published_on date, owner int unsigned, created datetime, changed_by int unsigned,
    key by_author (author, status), unique key by_title (title))`,
  `create table articles_translations (id int unsigned not null auto_increment primary key, article int unsigned, language varchar(5), title varchar(200))`,
  `create table languages (code varchar(5) not null primary key, name varchar(50))`,
  `create table keywords (id int unsigned not null auto_increment primary key, word varchar(50) collate utf8_general_ci not null)`,
  `create table articles_keywords (id int unsigned not null auto_increment primary key, article int unsigned, keyword int unsigned)`,
  `create table articles_files (id int unsigned not null auto_increment primary key, articles_id int unsigned, directus_files_id int unsigned)`,
  `create table everything (k varchar(20) not null, n int not null, t tinyint, tu tinyint unsigned, t1 tinyint(1), s smallint,
    su smallint unsigned, m mediumint, i int, iu int unsigned, b bigint, bu bigint unsigned, d decimal(30,10), f float,
    dbl double, bit1 bit(1) default b'1', bit8 bit(8), y year, e enum('a','it''s','c') default 'a', st set('x','y','z'),
    c char(4), v varchar(20) default 'it''s', tx text, lt longtext, bl blob, vb varbinary(10), da date, dt datetime,
    dt6 datetime(6), ts timestamp null default current_timestamp on update current_timestamp, ti time, j json,
    z int(5) zerofill, dz decimal(6,2) zerofill, g point, primary key (k, n))`,
  `create table loose (name varchar(20), seen datetime not null)`,
  `create view published as select id, title from articles where status = 'published'`,
]

export const ownFields: readonly Row[] = [
  field('authors', 'id', 'integer', { interface: 'primary-key' }),
  field('authors', 'name', 'string', {
    translation: [{ locale: 'de-DE', translation: 'Name der Person' }],
    note: 'The full name',
  }),
  field('authors', 'account', 'user'),
  field('authors', 'portrait', 'file'),
  field('authors', 'articles', 'o2m'),
  field('articles', 'id', 'integer'),
  field('articles', 'status', 'status', { interface: 'status', options: { status_mapping: statuses } }),
  field('articles', 'sort', 'sort'),
  field('articles', 'title', 'string', { required: 1, validation: '/^[A-Z]/' }),
  field('articles', 'body', 'string', { interface: 'wysiwyg' }),
  field('articles', 'author', 'm2o'),
  field('articles', 'cover', 'file'),
  field('articles', 'tags', 'array'),
  field('articles', 'extra', 'json'),
  field('articles', 'featured', 'boolean'),
  field('articles', 'price', 'decimal'),
  field('articles', 'published_on', 'date'),
  field('articles', 'owner', 'owner'),
  field('articles', 'created', 'datetime_created'),
  field('articles', 'changed_by', 'user_updated'),
  field('articles', 'translations', 'translation'),
  field('articles', 'keywords', 'o2m'),
  field('articles', 'gallery', 'o2m'),
  field('articles', 'ghost', 'string'),
  field('articles_translations', 'article', 'm2o'),
  field('articles_translations', 'language', 'lang'),
  field('everything', 't1', 'boolean'),
  field('nowhere', 'id', 'integer'),
]

/** A key that names a role. */
export const grants: readonly string[] = [
  'create table grants (role int unsigned not null, number int not null, word varchar(9), primary key (role, number))',
  "insert into grants values (3, 1, ''), (3, 2, null)",
  `insert into directus_relations (collection_many, field_many, collection_one)
    values ('grants', 'role', 'directus_roles'), ('grants', 'word', 'keywords')`,
]

/** What MariaDB lists among its tables: numbers, and tables that keep their former rows. */
export const onlyOnMariaDb: readonly string[] = [
  'create sequence invoices start with 1000',
  'create table audited (id int not null primary key, note varchar(9)) with system versioning',
  "insert into audited values (1, 'one')",
  "update audited set note = 'two'",
]
