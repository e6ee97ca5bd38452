with s0 as materialized (
  select * from (
    select t0."id", t0."title", t0."status", t0."author", t0."featured" from "articles" t0 order by case when t0."status" = $5::text then t0."title" end nulls first, t0."id" limit 100::bigint
  ) t0
), s1 as materialized (
  select t5."article", t5."approved" from "comments" t5 where t5."article" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id", case when t0."status" = $1::text then t0."title" end as "title", case when exists (
    select 1 from "authors" t3 where t3."id" = t0."author" and t3."age" > $2::bigint
  ) then (
    select row_to_json(r.*) from (
      select t2."name" as "name" from "authors" t2 where t2."id" = t0."author"
    ) r
  ) end as "author", case when t0."featured" = $4::boolean then (
    select count(*) from s1 t4 where t4."article" = t0."id" and t4."approved" = $3::boolean
  ) end as "comments_count" from s0 t0
) r
-- ["published",50,true,true,"published"]
