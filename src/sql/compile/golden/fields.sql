select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select t0."id" as "id", t0."title" as "headline", t0."author" as "author", coalesce(to_char((t0."date_created" at time zone 'UTC'), case when t0."date_created" < '0001-01-01Z' then case when t0."date_created" = t0."date_created"::timestamptz(3) then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z BC"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z BC"' end else case when t0."date_created" = t0."date_created"::timestamptz(3) then 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"' else 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' end end), (t0."date_created" at time zone 'UTC')::text) as "date_created" from (
    select t0."id", t0."title", t0."author", t0."date_created" from "articles" t0 where t0."status" = $1::text order by t0."views" desc, t0."id" limit 2::bigint offset $2::bigint
  ) t0
) r
-- ["published",1]
