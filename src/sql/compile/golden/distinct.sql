select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows", case when count(*) < 100 then count(*) else (
  select count(*) from "articles" t2 where t2."id" in (
    select distinct on (t3."status") t3."id" from "articles" t3 order by t3."status", t3."views" desc, t3."id"
  )
) end as "filtered" from (
  select t0."id" as "id", t0."status" as "status" from (
    select t0."id", t0."status" from "articles" t0 where t0."id" in (
      select distinct on (t1."status") t1."id" from "articles" t1 order by t1."status", t1."views" desc, t1."id"
    ) order by t0."views" desc, t0."id" limit 100::bigint
  ) t0
) r
-- []
