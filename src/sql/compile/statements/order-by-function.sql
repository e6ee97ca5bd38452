select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id" from (
    select t0."id" from "articles" t0 order by case when isfinite(t0."date_created") then extract(year from t0."date_created" at time zone 'UTC')::integer end desc, (
      select count(*) from "comments" t1 where t1."article" = t0."id" and t1."approved" = $1::boolean
    ), t0."id" limit 100::bigint
  ) t0
) r
-- ["list",true]
