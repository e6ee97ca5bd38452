select t0."sort" as "sort" from "articles_tags" t1 join lateral json_populate_record(t1, $5::json) t0 on t1."article" = $3::bigint and t1."tag" = $4::text where (t0."article" = $1::bigint and t0."tag" = $2::text)
-- ["objects",1,"ice","1","ice","{\"sort\":1}"]
