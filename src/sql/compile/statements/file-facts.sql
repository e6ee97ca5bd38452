select coalesce(json_agg(r.*), '[]')::text as "json", count(*)::integer as "rows" from (
  select (
    select row_to_json(r.*) from (
      select t1."id" as "tandem_file_facts", t1."filename_disk" as "filename_disk", t1."filename_download" as "filename_download", t1."private_hash" as "private_hash", t1."type" as "type", t1."embed" as "embed" from "platform_files" t1 where t1."id" = t0."image"
    ) r
  ) as "image" from (
    select t0."image" from "articles" t0 order by t0."sort", t0."id" limit 100::bigint
  ) t0
) r
-- ["list"]
