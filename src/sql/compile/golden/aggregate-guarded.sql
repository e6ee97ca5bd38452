select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t1.k0 as "author", t1.v0::text as "countAll", (
    select row_to_json(r.*) from (
      select t1.v1::text as "views"
    ) r
  ) as "sumDistinct" from (
    select t0.k0, count(*) as v0, sum(distinct t0.v1) as v1 from (
      select case when t0."status" = $1::text then t0."author" end as k0, case when t0."featured" = $2::boolean then t0."views" end as v1 from "articles" t0
    ) t0 group by t0.k0 order by k0 limit 2::bigint offset $3::bigint
  ) t1
) r
-- ["published",true,1]
