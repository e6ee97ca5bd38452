with s0 as materialized (
  select * from (
    select t0."date_created", t0."published_on", t0."published_at", t0."embargo", t0."id", t0."metadata", t0."options" from "articles" t0 where case when isfinite(t0."date_created") then extract(year from t0."date_created" at time zone 'UTC')::integer end <= $1::bigint order by (
      select count(*) from "comments" t5 where t5."article" = t0."id"
    ) desc, t0."id" limit 2::bigint
  ) t0
), s1 as materialized (
  select t3."article" from "articles_tags" t3 where t3."article" in (
    select t1."id" from s0 t1
  )
) select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select case when isfinite(t0."date_created") then extract(year from t0."date_created" at time zone 'UTC')::integer end as "date_created_year", extract(month from t0."date_created" at time zone 'UTC')::integer as "date_created_month", extract(week from t0."date_created" at time zone 'UTC')::integer as "date_created_week", extract(day from t0."date_created" at time zone 'UTC')::integer as "date_created_day", extract(dow from t0."date_created" at time zone 'UTC')::integer as "date_created_weekday", extract(hour from t0."date_created" at time zone 'UTC')::integer as "date_created_hour", extract(minute from t0."date_created" at time zone 'UTC')::integer as "date_created_minute", floor(extract(second from t0."date_created" at time zone 'UTC'))::integer as "date_created_second", case when isfinite(t0."published_on") then extract(year from t0."published_on")::integer end as "published_on_year", extract(hour from t0."published_at")::integer as "published_at_hour", extract(minute from t0."embargo")::integer as "embargo_minute", (
    select count(*) from s1 t2 where t2."article" = t0."id"
  ) as "tags_count", case json_typeof(t0."metadata") when 'array' then json_array_length(t0."metadata") else 0 end as "metadata_count", case json_typeof(t0."options"::json) when 'array' then json_array_length(t0."options"::json) else 0 end as "options_count" from s0 t0
) r
-- [2024]
