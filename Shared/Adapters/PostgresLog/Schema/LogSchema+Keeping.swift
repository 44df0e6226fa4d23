extension LogSchema {
    /// Heartbeats that never block each other, and compaction in steps.
    static let keeping = """
        -- When heartbeats were heard again after nobody's had been for a session: whoever \
        lives could
        -- not say so.
        CREATE TABLE log.stalls (
            only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
            ended_at timestamptz NOT NULL);
        INSERT INTO log.stalls VALUES (true, '-infinity');

        CREATE OR REPLACE FUNCTION log.is_live(
            heartbeat_at timestamptz, session_microseconds bigint)
        RETURNS bool LANGUAGE sql STABLE AS $body$
            -- A server that was down or stood still could hear nobody, so its start and the end of
            -- a stall count as heartbeats.
            SELECT greatest(heartbeat_at, pg_postmaster_start_time(),
                    (SELECT ended_at FROM log.stalls))
                >= clock_timestamp() - make_interval(secs => session_microseconds / 1000000.0)
        $body$;

        CREATE OR REPLACE FUNCTION log.heartbeat(
            wanted text, me uuid, session_microseconds bigint, OUT lives bool, OUT mourns bool)
        LANGUAGE plpgsql AS $body$
        DECLARE
            session interval := make_interval(secs => session_microseconds / 1000000.0);
        BEGIN
            IF NOT EXISTS (
                SELECT FROM log.members WHERE heartbeat_at >= clock_timestamp() - session)
            THEN
                UPDATE log.stalls SET ended_at = clock_timestamp()
                WHERE ended_at < clock_timestamp() - session;
            END IF;
            lives := EXISTS (
                SELECT FROM log.members WHERE group_name = wanted AND member = me);
            -- Whoever holds the row decides whether the member stays; the next beat will tell.
            UPDATE log.members m SET heartbeat_at = clock_timestamp()
            FROM (SELECT FROM log.members WHERE group_name = wanted AND member = me
                FOR NO KEY UPDATE SKIP LOCKED) mine
            WHERE m.group_name = wanted AND m.member = me;
            mourns := EXISTS (SELECT FROM log.members m WHERE m.group_name = wanted
                AND NOT log.is_live(m.heartbeat_at, session_microseconds));
        END $body$;

        -- A piece of `log.compact`: of one partition, and of some of its new records. Gives whether
        -- there are more.
        CREATE FUNCTION log.compact_piece(
            wanted int, wanted_partition int, most bigint, tombstone_age_microseconds bigint)
        RETURNS bool LANGUAGE plpgsql AS $body$
        DECLARE
            low bigint;
            middle bigint;
            high bigint;
        BEGIN
            SELECT coalesce(c.compacted_to, 0), p.next_offset INTO low, high
            FROM log.partitions p LEFT JOIN log.compactions c USING (topic, partition)
            WHERE p.topic = wanted AND p.partition = wanted_partition;
            middle := least(high, low + most);
            IF middle > low THEN
                EXECUTE format(
                    'DELETE FROM log.records_%1$s old USING (
                        SELECT md5(key) AS digest, key, max("offset") AS newest
                        FROM log.records_%1$s
                        WHERE partition = $1 AND "offset" >= $2 AND "offset" < $3
                        GROUP BY key) new
                    WHERE old.partition = $1 AND md5(old.key) = new.digest AND old.key = new.key
                        AND old."offset" < new.newest', wanted)
                USING wanted_partition, low, middle;
                INSERT INTO log.compactions VALUES (wanted, wanted_partition, middle)
                ON CONFLICT (topic, partition) DO UPDATE SET compacted_to = excluded.compacted_to;
            END IF;
            -- What is not compacted yet may need its tombstones.
            EXECUTE format(
                'DELETE FROM log.records_%s WHERE value IS NULL AND partition = $1
                    AND "offset" < least($2 - 1, $4) AND appended_at
                        < clock_timestamp() - make_interval(secs => $3 / 1000000.0)', wanted)
            USING wanted_partition, high, tombstone_age_microseconds, middle;
            RETURN middle < high;
        END $body$;
        """
}
