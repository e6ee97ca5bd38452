select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from /* settled */ (select t0."title" as "title", t0."type" as "type", t0."width" as "width" from (select t0."title", t0."type", t0."width" from "platform_files" t0 where t0."type" ilike $1::text order by t0."filename_download" desc, t0."id" limit 10::bigint) t0) r
-- ["%image%"]
