extension LogSchema {
    /// Puts records of a backup into a topic, each with the time of its first append. A topic that
    /// ages gets the tables of those days.
    static let restoring = """
        CREATE FUNCTION log.make_span(wanted int, number bigint, span bigint) RETURNS void
        LANGUAGE plpgsql AS $body$
        DECLARE
            starts timestamptz := to_timestamp(number * span / 1000000.0);
            ends timestamptz := to_timestamp((number + 1) * span / 1000000.0);
            piece text := format('records_%s_%s', wanted, number);
        BEGIN
            IF EXISTS (SELECT FROM log.spans WHERE topic = wanted AND starts_at = starts) THEN
                RETURN;
            END IF;
            EXECUTE format(
                'CREATE TABLE log.%I (LIKE log.records_%s INCLUDING ALL)
                    WITH (toast_tuple_target = 8160, autovacuum_vacuum_insert_threshold = -1)',
                piece, wanted);
            EXECUTE format(
                'ALTER TABLE log.records_%s ATTACH PARTITION log.%I
                    FOR VALUES FROM (%L) TO (%L)', wanted, piece, starts, ends);
            INSERT INTO log.spans VALUES (wanted, starts, ends, piece);
        END $body$;

        CREATE FUNCTION log.restore(
            wanted int, record_partitions int[], moments timestamptz[], keys bytea[],
            contents bytea[], all_headers bytea[])
        RETURNS void LANGUAGE plpgsql AS $body$
        DECLARE
            span bigint;
            number bigint;
        BEGIN
            SELECT span_microseconds INTO span FROM log.topics WHERE id = wanted;
            IF span IS NOT NULL THEN
                PERFORM pg_advisory_xact_lock(7310, wanted);
                FOR number IN
                    SELECT DISTINCT floor(extract(epoch FROM moment) * 1000000 / span)::bigint
                    FROM unnest(moments) moment
                LOOP
                    PERFORM log.make_span(wanted, number, span);
                END LOOP;
            END IF;
            PERFORM FROM log.partitions p
            WHERE p.topic = wanted AND p.partition = ANY (record_partitions)
            ORDER BY p.partition FOR NO KEY UPDATE;
            EXECUTE format(
                'INSERT INTO log.records_%s
                SELECT r.partition, p.next_offset - 1
                        + row_number() OVER (PARTITION BY r.partition ORDER BY r.number),
                    r.moment, r.key, r.value, r.headers
                FROM unnest($1, $2, $3, $4, $5) WITH ORDINALITY
                    r (partition, moment, key, value, headers, number)
                JOIN log.partitions p ON p.topic = $6 AND p.partition = r.partition', wanted)
            USING record_partitions, moments, keys, contents, all_headers, wanted;
            UPDATE log.partitions p SET next_offset = p.next_offset + c.records,
                last_appended_at = greatest(p.last_appended_at, c.newest)
            FROM (
                SELECT r.partition, count(*) AS records, max(r.moment) AS newest
                FROM unnest(record_partitions, moments) r (partition, moment)
                GROUP BY r.partition) c
            WHERE p.topic = wanted AND p.partition = c.partition;
        END $body$;
        """
}
