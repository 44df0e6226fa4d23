extension LogSchema {
    /// A topic that was to be kept for ever, and has never had a record, can become one whose
    /// records end. With records it stays as it is: its table has no pieces that could be dropped.
    static let emptyTopics = """
        CREATE FUNCTION log.change_empty_topic(
            wanted_name text, wanted_cleanup text, wanted_retention bigint, wanted_span bigint)
        RETURNS void LANGUAGE plpgsql AS $body$
        DECLARE
            changed log.topics;
        BEGIN
            PERFORM pg_advisory_xact_lock(7311, 0);
            SELECT * INTO changed FROM log.topics
            WHERE name = wanted_name AND cleanup = 'forever' AND wanted_cleanup = 'delete';
            IF NOT FOUND THEN RETURN; END IF;
            -- A writer has locked the row of its partition.
            PERFORM FROM log.partitions WHERE topic = changed.id ORDER BY partition FOR UPDATE;
            IF EXISTS (
                SELECT FROM log.partitions WHERE topic = changed.id AND next_offset > 0)
            THEN
                RETURN;
            END IF;
            -- With the view for people.
            EXECUTE format('DROP TABLE log.records_%s CASCADE', changed.id);
            EXECUTE format('DROP FUNCTION log.append_%s', changed.id);
            UPDATE log.topics SET cleanup = wanted_cleanup,
                retention_microseconds = wanted_retention, span_microseconds = wanted_span
            WHERE id = changed.id;
            PERFORM log.create_records(changed.id, wanted_cleanup);
            IF length(wanted_name::bytea) < 64 THEN
                EXECUTE format(
                    'CREATE VIEW log.%I AS SELECT partition, "offset", appended_at,
                        log.text_of(key) AS key, log.text_of(value) AS value,
                        log.headers_of(headers) AS headers FROM log.records_%s',
                    wanted_name, changed.id);
            END IF;
            PERFORM log.extend(changed.id);
        END $body$;
        """
}
