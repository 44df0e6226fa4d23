extension LogSchema {
    /// Start offsets move in one transaction and tables are dropped in another. An append holds its
    /// table while it waits for a partition's row. Doing both in one transaction could therefore
    /// deadlock.
    static let maintenance = """
        -- The first offset after the span becomes the start of each partition.
        CREATE FUNCTION log.retire(wanted int, wanted_table text) RETURNS void
        LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM FROM log.partitions WHERE topic = wanted ORDER BY partition FOR NO KEY UPDATE;
            EXECUTE format(
                'UPDATE log.partitions p SET start_offset = greatest(p.start_offset, old.last + 1)
                FROM (SELECT q.partition, (SELECT max(r."offset") FROM log.%I r
                        WHERE r.partition = q.partition) AS last
                    FROM log.partitions q WHERE q.topic = %s) old
                WHERE p.topic = %s AND p.partition = old.partition AND old.last IS NOT NULL',
                wanted_table, wanted, wanted);
        END $body$;

        CREATE FUNCTION log.drop_span(wanted int, wanted_table text) RETURNS void
        LANGUAGE plpgsql AS $body$
        BEGIN
            -- Rather later than make everybody wait behind us and a long reader.
            SET LOCAL lock_timeout = '1s';
            EXECUTE format('DROP TABLE log.%I', wanted_table);
            DELETE FROM log.spans WHERE topic = wanted AND table_name = wanted_table;
        END $body$;

        -- Removes what newer records of the same key have replaced, then old tombstones. The last
        -- record of a partition stays, so that a reader can always reach the end.
        CREATE FUNCTION log.compact(wanted int, tombstone_age_microseconds bigint) RETURNS bigint
        LANGUAGE plpgsql AS $body$
        DECLARE
            dirty record;
            removed bigint := 0;
            hit bigint;
        BEGIN
            FOR dirty IN
                SELECT p.partition, coalesce(c.compacted_to, 0) AS low, p.next_offset AS high
                FROM log.partitions p LEFT JOIN log.compactions c USING (topic, partition)
                WHERE p.topic = wanted ORDER BY p.partition
            LOOP
                EXECUTE format(
                    'DELETE FROM log.records_%1$s old USING (
                        SELECT md5(key) AS digest, key, max("offset") AS newest
                        FROM log.records_%1$s
                        WHERE partition = $1 AND "offset" >= $2 AND "offset" < $3
                        GROUP BY key) new
                    WHERE old.partition = $1 AND md5(old.key) = new.digest AND old.key = new.key
                        AND old."offset" < new.newest', wanted)
                USING dirty.partition, dirty.low, dirty.high;
                GET DIAGNOSTICS hit = ROW_COUNT;
                removed := removed + hit;
                EXECUTE format(
                    'DELETE FROM log.records_%s WHERE value IS NULL AND partition = $1
                        AND "offset" < $2 - 1 AND appended_at
                            < clock_timestamp() - make_interval(secs => $3 / 1000000.0)', wanted)
                USING dirty.partition, dirty.high, tombstone_age_microseconds;
                GET DIAGNOSTICS hit = ROW_COUNT;
                removed := removed + hit;
                INSERT INTO log.compactions VALUES (wanted, dirty.partition, dirty.high)
                ON CONFLICT (topic, partition) DO UPDATE SET compacted_to = excluded.compacted_to;
            END LOOP;
            RETURN removed;
        END $body$;
        """
}
