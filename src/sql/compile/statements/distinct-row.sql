select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where t0."id" in (
      select distinct on (t1."status", t1."metadata"::text) t1."id" from "articles" t1 where t1."id" = $1::bigint and (t1."title" ilike $2::text) order by t1."status", t1."metadata"::text, t1."title", t1."id"
    ) order by t0."title", t0."id" limit 100::bigint
  ) t0
) r
-- ["list",1,"%x%"]
