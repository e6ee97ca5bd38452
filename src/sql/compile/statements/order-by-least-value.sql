select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "authors" t0 order by (
      select min(t1."region"::text)::uuid from "authors" t1 where t1."mentor" = t0."id"
    ), (
      select min(t2."featured"::text)::boolean from "articles" t2 where t2."author" = t0."id"
    ), (
      select min(t3."published_on") from "articles" t3 where t3."author" = t0."id"
    ), (
      select min(case when isfinite(t4."date_created") then extract(year from t4."date_created" at time zone 'UTC')::integer end) from "articles" t4 where t4."author" = t0."id"
    ) desc, t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
