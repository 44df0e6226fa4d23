extension LogSchema {
    /// A topic that was kept whole can become a compacted one. There is no way back: the records
    /// that compaction removed are gone.
    static let compacting = """
        -- Gives the number of partitions that the topic has, made now or before.
        CREATE OR REPLACE FUNCTION log.create_topic(
            wanted_name text, wanted_partitions int, wanted_cleanup text, wanted_retention bigint,
            wanted_span bigint, wanted_maximum int)
        RETURNS int LANGUAGE plpgsql AS $body$
        DECLARE
            topic log.topics;
        BEGIN
            PERFORM pg_advisory_xact_lock(7311, 0);
            SELECT * INTO topic FROM log.topics WHERE name = wanted_name;
            IF FOUND THEN
                IF topic.cleanup = 'forever' AND wanted_cleanup = 'compact'
                    AND topic.partitions = wanted_partitions
                THEN
                    PERFORM log.index_keys(topic.id);
                    UPDATE log.topics SET cleanup = wanted_cleanup WHERE id = topic.id;
                END IF;
                UPDATE log.topics SET maximum_record_bytes = wanted_maximum,
                    retention_microseconds = wanted_retention
                WHERE id = topic.id AND cleanup = wanted_cleanup AND partitions = wanted_partitions
                    AND (maximum_record_bytes, retention_microseconds)
                        IS DISTINCT FROM (wanted_maximum, wanted_retention);
                RETURN topic.partitions;
            END IF;
            INSERT INTO log.topics (name, partitions, cleanup, retention_microseconds,
                span_microseconds, maximum_record_bytes)
            VALUES (wanted_name, wanted_partitions, wanted_cleanup, wanted_retention, wanted_span,
                wanted_maximum) RETURNING * INTO topic;
            INSERT INTO log.partitions (topic, partition)
            SELECT topic.id, number FROM generate_series(0, wanted_partitions - 1) number;
            PERFORM log.create_records(topic.id, topic.cleanup);
            IF length(wanted_name::bytea) < 64 THEN
                EXECUTE format(
                    'CREATE VIEW log.%I AS SELECT partition, "offset", appended_at,
                        log.text_of(key) AS key, log.text_of(value) AS value,
                        log.headers_of(headers) AS headers FROM log.records_%s',
                    wanted_name, topic.id);
            END IF;
            PERFORM log.extend(topic.id);
            RETURN wanted_partitions;
        END $body$;

        -- The indexes that compaction needs, as log.create_records makes them.
        CREATE FUNCTION log.index_keys(topic int) RETURNS void LANGUAGE plpgsql AS $body$
        BEGIN
            EXECUTE format(
                'CREATE INDEX ON log.records_%s (partition, md5(key), "offset")', topic);
            EXECUTE format(
                'CREATE INDEX ON log.records_%s (appended_at) WHERE value IS NULL', topic);
        END $body$;
        """
}
