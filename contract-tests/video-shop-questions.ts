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
  {
    sql: `select movie_id, title from movie order by movie_id desc limit 5`,
    current: 'movie?fields=movie_id,title&sort=-movie_id&limit=5',
    legacy: 'movie?fields=movie_id,title&sort=-movie_id&limit=5',
  },
  {
    sql: `select movie_id, made from movie where made between 1995 and 2000 order by made, movie_id`,
    current: 'movie?fields=movie_id,made&filter[made][_between]=1995,2000&sort=made,movie_id&limit=-1',
    legacy: 'movie?fields=movie_id,made&filter[made][between]=1995,2000&sort=made,movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where minutes is null order by movie_id`,
    current: 'movie?fields=movie_id&filter[minutes][_null]=true&sort=movie_id',
    legacy: 'movie?fields=movie_id&filter[minutes][null]=&sort=movie_id',
  },
  {
    sql: `select movie_id from movie where plot is not null and days in (4, 6) order by movie_id`,
    current: 'movie?fields=movie_id&filter[plot][_nnull]=true&filter[days][_in]=4,6&sort=movie_id&limit=-1',
    legacy: 'movie?fields=movie_id&filter[plot][nnull]=&filter[days][in]=4,6&sort=movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where grade not in ('all', 'adult') order by movie_id`,
    current: 'movie?fields=movie_id&filter[grade][_nin]=all,adult&sort=movie_id&limit=-1',
    legacy: 'movie?fields=movie_id&filter[grade][nin]=all,adult&sort=movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where title like 'Movie 1%' order by movie_id`,
    current: 'movie?fields=movie_id&filter[title][_starts_with]=Movie 1&sort=movie_id&limit=-1',
    legacy: 'movie?fields=movie_id&filter[title][rlike]=Movie 1%25&sort=movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where title like '%9' order by movie_id`,
    current: 'movie?fields=movie_id&filter[title][_ends_with]=9&sort=movie_id&limit=-1',
    legacy: 'movie?fields=movie_id&filter[title][rlike]=%259&sort=movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where plot ilike '%WHALE%' order by movie_id`,
    current: 'movie?fields=movie_id&filter[plot][_icontains]=WHALE&sort=movie_id&limit=-1',
  },
  {
    sql: `select movie_id from movie where minutes < 65 or grade = 'six' and days = 3 order by movie_id`,
    current:
      'movie?fields=movie_id&sort=movie_id&limit=-1&filter=%7B%22_or%22%3A%5B%7B%22minutes%22%3A%7B%22_lt%22%3A65%7D%7D%2C%7B%22_and%22%3A%5B%7B%22grade%22%3A%7B%22_eq%22%3A%22six%22%7D%7D%2C%7B%22days%22%3A%7B%22_eq%22%3A3%7D%7D%5D%7D%5D%7D',
  },
  {
    sql: `select last_name, first_name from performer where first_name in ('First1', 'First2') order by first_name, last_name desc`,
    current: 'performer?fields=last_name,first_name&filter[first_name][_in]=First1,First2&sort=first_name,-last_name',
    legacy: 'performer?fields=last_name,first_name&filter[first_name][in]=First1,First2&sort=first_name,-last_name',
  },
  {
    sql: `select genre_id, name from genre order by name`,
    current: 'genre?fields=genre_id,name&sort=name',
    legacy: 'genre?fields=genre_id,name&sort=name',
  },
  {
    sql: `select movie_id || ';' || genre_id as "$key" from movie_genre where genre_id = 2 order by movie_id limit 6`,
    current: 'movie_genre?fields=$key&filter[genre_id][_eq]=2&sort=movie_id&limit=6',
    legacy: 'movie_genre?fields=$key&filter[genre_id][eq]=2&sort=movie_id&limit=6',
  },
  {
    sql: `select m.movie_id, json_build_object('name', g.name) as genre_id from movie_genre m join genre g using (genre_id) where g.name like 'A%' order by g.name desc, m.movie_id limit 8`,
    current:
      'movie_genre?fields=movie_id,genre_id.name&filter[genre_id][name][_starts_with]=A&sort=-genre_id.name,movie_id&limit=8',
    legacy:
      'movie_genre?fields=movie_id,genre_id.name&filter[genre_id.name][rlike]=A%25&sort=-genre_id.name,movie_id&limit=8',
  },
  {
    sql: `select town_id, town from town where place is not null order by town desc`,
    current: 'town?fields=town_id,town&filter[place][_nnull]=true&sort=-town',
    legacy: 'town?fields=town_id,town&filter[place][nnull]=&sort=-town',
  },
  {
    sql: `select customer_id, json_build_object('town', t.town) as town_id from customer join town t using (town_id) where t.town = 'Bremen' order by customer_id`,
    current: 'customer?fields=customer_id,town_id.town&filter[town_id][town][_eq]=Bremen&sort=customer_id',
    legacy: 'customer?fields=customer_id,town_id.town&filter[town_id.town][eq]=Bremen&sort=customer_id',
  },
  {
    sql: `select customer_id from customer where town_id is null order by customer_id`,
    current: 'customer?fields=customer_id&filter[town_id][_null]=true&sort=customer_id',
    legacy: 'customer?fields=customer_id&filter[town_id][null]=&sort=customer_id',
  },
  {
    sql: `select customer_id, email from customer where email like '%@example.com' and active order by email desc`,
    current:
      'customer?fields=customer_id,email&filter[email][_ends_with]=@example.com&filter[active][_eq]=true&sort=-email',
    legacy: 'customer?fields=customer_id,email&filter[email][rlike]=%25@example.com&filter[active][eq]=1&sort=-email',
  },
  {
    sql: `select customer_id, created from customer where created > '2026-01-10' order by created`,
    current: 'customer?fields=customer_id,created&filter[created][_gt]=2026-01-10&sort=created',
    legacy: 'customer?fields=customer_id,created&filter[created][gt]=2026-01-10&sort=created',
  },
  {
    sql: `select disc_id, json_build_object('title', title, 'grade', grade) as movie_id from disc join movie using (movie_id) where grade = 'adult' order by disc_id limit 6`,
    current:
      'disc?fields=disc_id,movie_id.title,movie_id.grade&filter[movie_id][grade][_eq]=adult&sort=disc_id&limit=6',
    legacy: 'disc?fields=disc_id,movie_id.title,movie_id.grade&filter[movie_id.grade][eq]=adult&sort=disc_id&limit=6',
  },
  {
    sql: `select lending_id from lending join customer using (customer_id) where first_name = 'C4' order by lent_at limit 4`,
    current: 'lending?fields=lending_id&filter[customer_id][first_name][_eq]=C4&sort=lent_at&limit=4',
    legacy: 'lending?fields=lending_id&filter[customer_id.first_name][eq]=C4&sort=lent_at&limit=4',
  },
  {
    sql: `select fee_id from fee where amount between 2 and 3 order by fee_id limit 5 offset 2`,
    current: 'fee?fields=fee_id&filter[amount][_between]=2,3&sort=fee_id&limit=5&offset=2',
    legacy: 'fee?fields=fee_id&filter[amount][between]=2,3&sort=fee_id&limit=5&offset=2',
  },
  {
    sql: `select fee_id from fee_first where paid_at < '2026-04-01' order by paid_at desc limit 3`,
    current: 'fee_first?fields=fee_id&filter[paid_at][_lt]=2026-04-01T00:00:00&sort=-paid_at&limit=3',
    legacy: 'fee_first?fields=fee_id&filter[paid_at][lt]=2026-04-01T00:00:00&sort=-paid_at&limit=3',
  },
  {
    sql: `select code, note from label where shelf = 2 or note is not null order by code`,
    current: 'label?fields=code,note&filter[_or][0][shelf][_eq]=2&filter[_or][1][note][_nnull]=true&sort=code',
  },
  {
    sql: `select code, shelf from label where code = 'B,2'`,
    current: 'label?fields=code,shelf&filter[code][_eq]=B,2',
    legacy: 'label?fields=code,shelf&filter[code][eq]=B,2',
  },
  {
    sql: `select door from visit_log where at is not null`,
    current: 'visit_log?fields=door&filter[at][_nnull]=true',
    legacy: 'visit_log?fields=door&filter[at][nnull]=',
  },
  {
    sql: `select customer_id, first_name from active_customer where last_name = 'Family2' order by customer_id`,
    current: 'active_customer?fields=customer_id,first_name&filter[last_name][_eq]=Family2&sort=customer_id',
    legacy: 'active_customer?fields=customer_id,first_name&filter[last_name][eq]=Family2&sort=customer_id',
  },
  {
    sql: `select genre from takings_by_genre where total > 100 order by genre`,
    current: 'takings_by_genre?fields=genre&filter[total][_gt]=100&sort=genre',
    legacy: 'takings_by_genre?fields=genre&filter[total][gt]=100&sort=genre',
  },
  {
    sql: `select name from customer_list where active and town is null order by id`,
    current: 'customer_list?fields=name&filter[active][_eq]=true&filter[town][_null]=true&sort=id',
    legacy: 'customer_list?fields=name&filter[active][eq]=1&filter[town][null]=&sort=id',
  },
  {
    sql: `select json_build_object('amount', avg(amount)::text) as avg, json_build_object('amount', sum(amount)::text) as sum from fee_second`,
    current: 'fee_second?aggregate[avg]=amount&aggregate[sum]=amount',
  },
  {
    sql: `select town_id, count(*)::text as count from customer group by town_id order by town_id`,
    current: 'customer?aggregate[count]=*&groupBy=town_id&sort=town_id',
  },
  {
    sql: `select json_build_object('minutes', max(minutes)) as max, json_build_object('minutes', min(minutes)) as min from movie where grade = 'six'`,
    current: 'movie?aggregate[max]=minutes&aggregate[min]=minutes&filter[grade][_eq]=six',
  },
  {
    sql: `select tongue_id, grade, count(*)::text as count from movie group by 1, 2 order by 1, 2`,
    current: 'movie?aggregate[count]=*&groupBy=tongue_id,grade&sort=tongue_id,grade&limit=-1',
  },
  {
    sql: `select extract(year from paid_at)::text as paid_at_year, json_build_object('amount', sum(amount)::text) as sum from fee group by 1`,
    current: 'fee?aggregate[sum]=amount&groupBy=year(paid_at)',
  },
  {
    sql: `select json_build_object('movie_id', count(distinct movie_id)::text) as "countDistinct" from disc`,
    current: 'disc?aggregate[countDistinct]=movie_id',
  },
  {
    sql: `select title as name, movie_id from movie order by movie_id limit 2`,
    current: 'movie?fields=name,movie_id&alias[name]=title&sort=movie_id&limit=2',
  },
  {
    sql: `select lending_id, extract(month from lent_at at time zone 'UTC')::text as lent_at_month from lending order by lending_id limit 4`,
    current: 'lending?fields=lending_id,month(lent_at)&sort=lending_id&limit=4',
  },
  {
    sql: `select movie_id from movie where extract(year from last_update at time zone 'UTC') = 2026 and movie_id < 4 order by movie_id`,
    current: 'movie?fields=movie_id&filter[year(last_update)][_eq]=2026&filter[movie_id][_lt]=4&sort=movie_id',
  },
]
