/** Questions about the shop, in the words of each generation and in SQL. */

/** Path below `/items/`. A generation without words for the question has none. */
export type Question = { readonly sql: string; readonly current?: string; readonly legacy?: string }

const json = (value: object): string => encodeURIComponent(JSON.stringify(value))

export const questions: readonly Question[] = [
  {
    sql: `select title from movie where minutes > 100 and grade = 'adult' order by title`,
    current: 'movie?fields=title&filter[minutes][_gt]=100&filter[grade][_eq]=adult&sort=title&limit=-1',
    legacy: 'movie?fields=title&filter[minutes][gt]=100&filter[grade][eq]=adult&sort=title&limit=-1',
  },
  {
    sql: `select movie_id, grade from movie where grade < 'twelve' order by grade desc, movie_id limit 9 offset 3`,
    current: 'movie?fields=movie_id,grade&filter[grade][_lt]=twelve&sort=-grade,movie_id&limit=9&offset=3',
    legacy: 'movie?fields=movie_id,grade&filter[grade][lt]=twelve&sort=-grade,movie_id&limit=9&offset=3',
  },
  {
    sql: `select movie_id, extras from movie where 'Deleted Scenes' = any (extras) order by movie_id`,
    current: `movie?fields=movie_id,extras&filter[extras][_contains]=Deleted Scenes&sort=movie_id&limit=-1`,
    legacy: 'movie?fields=movie_id,extras&filter[extras][contains]=Deleted Scenes&sort=movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where coalesce(extras, '{}') = '{}' order by movie_id`,
    current: 'movie?fields=movie_id&filter[extras][_empty]=true&sort=movie_id&limit=-1',
    legacy: 'movie?fields=movie_id&filter[extras][empty]=&sort=movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where plot ilike '%whale%' or title ilike '%whale%' order by movie_id`,
    current: 'movie?fields=movie_id&search=whale&sort=movie_id&limit=-1',
    legacy: 'movie?fields=movie_id&q=whale&sort=movie_id&limit=-1',
  },
  {
    sql: `select m.title, json_build_object('name', t.name::text) as tongue_id, case when o.tongue_id is not null then
        json_build_object('name', o.name::text) end as original_tongue_id
      from movie m join tongue t using (tongue_id) left join tongue o on o.tongue_id = m.original_tongue_id order by movie_id limit 7`,
    current: 'movie?fields=title,tongue_id.name,original_tongue_id.name&sort=movie_id&limit=7',
    legacy: 'movie?fields=title,tongue_id.name,original_tongue_id.name&sort=movie_id&limit=7',
  },
  {
    sql: `select p.performer_id from movie_performer p join movie m using (movie_id) join tongue t using (tongue_id)
      where t.name = 'Türkçe' order by m.title desc, performer_id`,
    current:
      'movie_performer?fields=performer_id&filter[movie_id][tongue_id][name][_eq]=Türkçe&sort=-movie_id.title,performer_id&limit=-1',
    legacy:
      'movie_performer?fields=performer_id&filter[movie_id.tongue_id.name][eq]=Türkçe&sort=-movie_id.title,performer_id&limit=-1',
  },
  {
    sql: `select performer_id || ';' || movie_id as "$key", json_build_object('last_name', last_name) as performer_id
      from movie_performer join performer using (performer_id) where movie_id = 8 order by movie_performer.performer_id`,
    current: 'movie_performer?fields=$key,performer_id.last_name&filter[movie_id][_eq]=8&sort=performer_id&limit=-1',
    legacy: 'movie_performer?fields=$key,performer_id.last_name&filter[movie_id][eq]=8&sort=performer_id&limit=-1',
  },
  {
    sql: `select customer_id, member::text as member from customer order by member desc, customer_id limit 5`,
    current: 'customer?fields=customer_id,member&sort=-member,customer_id&limit=5',
    legacy: 'customer?fields=customer_id,member&sort=-member,customer_id&limit=5',
  },
  {
    sql: `select customer_id from customer where email is null and not active and created between '2026-01-03' and '2026-01-12' order by 1 desc`,
    current:
      'customer?fields=customer_id&filter[email][_null]=true&filter[active][_eq]=false&filter[created][_between]=2026-01-03,2026-01-12&sort=-customer_id',
    legacy:
      'customer?fields=customer_id&filter[email][null]=&filter[active][eq]=0&filter[created][between]=2026-01-03,2026-01-12&sort=-customer_id',
  },
  {
    sql: `select customer_id, encode(photo, 'base64') as photo from customer order by customer_id limit 3`,
    current: 'customer?fields=customer_id,photo&sort=customer_id&limit=3',
    legacy: 'customer?fields=customer_id,photo&sort=customer_id&limit=3',
  },
  {
    sql: `select lending_id from lending where back_at is null and lent_at < '2026-05-01T00:00:00Z' order by lent_at desc`,
    current:
      'lending?fields=lending_id&filter[back_at][_null]=true&filter[lent_at][_lt]=2026-05-01T00:00:00Z&sort=-lent_at&limit=-1',
    legacy:
      'lending?fields=lending_id&filter[back_at][null]=&filter[lent_at][lt]=2026-05-01T00:00:00Z&sort=-lent_at&limit=-1',
  },
  {
    sql: `select fee_id, json_build_object('disc_id', json_build_object('movie_id', json_build_object('title', title))) as lending_id
      from fee join lending using (lending_id) join disc using (disc_id) join movie using (movie_id)
      where tongue_id = 2 and amount > 6 order by amount desc, fee_id`,
    current: `fee?fields=fee_id,lending_id.disc_id.movie_id.title&filter=${json({
      _and: [{ lending_id: { disc_id: { movie_id: { tongue_id: { _eq: 2 } } } } }, { amount: { _gt: 6 } }],
    })}&sort=-amount,fee_id&limit=-1`,
    legacy:
      'fee?fields=fee_id,lending_id.disc_id.movie_id.title&filter[lending_id.disc_id.movie_id.tongue_id][eq]=2&filter[amount][gt]=6&sort=-amount,fee_id&limit=-1',
  },
  {
    sql: `select fee_id from fee_second where amount in (1.5, 3.5) order by paid_at`,
    current: 'fee_second?fields=fee_id&filter[amount][_in]=1.5,3.5&sort=paid_at&limit=-1',
    legacy: 'fee_second?fields=fee_id&filter[amount][in]=1.5,3.5&sort=paid_at&limit=-1',
  },
  {
    sql: `select count(*)::text as count from fee`,
    current: 'fee?aggregate[count]=*',
  },
  {
    sql: `select customer_id, json_build_object('amount', sum(amount)::text) as sum, json_build_object('paid_at', max(paid_at)) as max
      from fee group by customer_id order by customer_id`,
    current: 'fee?aggregate[sum]=amount&aggregate[max]=paid_at&groupBy=customer_id&sort=customer_id&limit=-1',
  },
  {
    sql: `select grade, count(*)::text as count, json_build_object('minutes', min(minutes)) as min from movie group by grade order by grade`,
    current: 'movie?aggregate[count]=*&aggregate[min]=minutes&groupBy=grade&sort=grade&limit=-1',
  },
  {
    sql: `select extract(month from lent_at at time zone 'UTC')::text as lent_at_month, count(*)::text as count
      from lending group by 1 order by min(lent_at)`,
    current: 'lending?aggregate[count]=*&groupBy=month(lent_at)&sort=month(lent_at)&limit=-1',
  },
  {
    sql: `select json_build_object('customer_id', count(distinct customer_id)::text) as "countDistinct" from fee where amount > 7`,
    current: 'fee?aggregate[countDistinct]=customer_id&filter[amount][_gt]=7',
  },
  {
    sql: `select id, name, town from customer_list where town = 'Çorum' order by name desc`,
    current: 'customer_list?fields=id,name,town&filter[town][_eq]=Çorum&sort=-name',
    legacy: 'customer_list?fields=id,name,town&filter[town][eq]=Çorum&sort=-name',
  },
  {
    sql: `select genre, total::text as total from takings_by_genre order by total desc`,
    current: 'takings_by_genre?fields=genre,total&sort=-total',
  },
  {
    sql: `select movie_id, performers from movie_list where performers like 'Last1%' order by performers, movie_id`,
    current:
      'movie_list?fields=movie_id,performers&filter[performers][_starts_with]=Last1&sort=performers,movie_id&limit=-1',
    legacy:
      'movie_list?fields=movie_id,performers&filter[performers][rlike]=Last1%25&sort=performers,movie_id&limit=-1',
  },
  {
    sql: `select old_id::text as old_id, json_build_object('first_name', first_name) as customer_id, data
      from archive.old_lending join customer using (customer_id)`,
    current: 'old_lending?fields=old_id,customer_id.first_name,data',
    legacy: 'old_lending?fields=old_id,customer_id.first_name,data',
  },
]
