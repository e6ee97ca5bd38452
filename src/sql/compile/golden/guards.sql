select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id", case when t0."status" = $1::text then t0."title" end as "title", case when exists (
    select 1 from "authors" t2 where t2."id" = t0."author" and t2."age" > $2::bigint
  ) then (
    select row_to_json(r.*) from (
      select t1."name" as "name" from "authors" t1 where t1."id" = t0."author"
    ) r
  ) end as "author", case when t0."featured" = $4::boolean then (
    select count(*) from "comments" t3 where t3."article" = t0."id" and t3."approved" = $3::boolean
  ) end as "comments_count" from (
    select t0."id", t0."title", t0."status", t0."author", t0."featured" from "articles" t0 order by case when t0."status" = $5::text then t0."title" end nulls first, t0."id" limit 100::bigint
  ) t0
) r
-- ["published",50,true,true,"published"]
