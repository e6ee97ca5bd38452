select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows", (
  select count(*) from "articles" t1 where t1."status" = $3::text and (t1."status" is null or not (t1."status" = any($4::text[])))
) as "total", case when count(*) < 100 then count(*) else (
  select count(*) from "articles" t2 where t2."id" = $5::bigint and (t2."status" is null or not (t2."status" = any($6::text[])))
) end as "filtered" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 where t0."id" = $1::bigint and (t0."status" is null or not (t0."status" = any($2::text[]))) order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list",1,["archived"],"published",["archived"],1,["archived"]]
