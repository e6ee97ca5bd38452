select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id"::text as "id" from (
    select t0."id" from "comments" t0 where (st_setsrid(t0."approved", 4326) = (
      select st_setsrid(t1."location", 4326) from "platform_users" t1 where t1."id" = $1::uuid limit 1
    ) or t0."body" = (
      select t2."location"::text from "platform_users" t2 where t2."id" = $2::uuid limit 1
    ) or st_setsrid(t0."approved", 4326) = (
      select st_geomfromtext(t3."title"::text, 4326) from "platform_users" t3 where t3."id" = $3::uuid limit 1
    )) order by t0."id", t0."article", t0."body" limit 100::bigint
  ) t0
) r
-- ["list","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa","aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa"]
