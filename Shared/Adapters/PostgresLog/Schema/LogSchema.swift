import Postgres

/// The schema `log`. A released step is never edited; changes are new steps.
///
/// A writer gets its offsets under the lock of the partition's row in `log.partitions`, in the
/// transaction that writes the records. So within a partition the order of offsets is the order of
/// commits. An aborted append leaves no gap.
enum LogSchema {
    public static let migrator = Migrator(
        schema: "log",
        steps: [
            Migrator.Step("topics", topics), Migrator.Step("create-topic", createTopic),
            Migrator.Step("offset-at", offsetAt), Migrator.Step("maintenance", maintenance),
            Migrator.Step("groups", groups), Migrator.Step("rebalance", rebalance),
            Migrator.Step("keeping", keeping),
            Migrator.Step("headers", headers),
            Migrator.Step("move-group", moving), Migrator.Step("compacting", compacting),
            Migrator.Step("restoring", restoring), Migrator.Step("empty-topics", emptyTopics),
            Migrator.Step("burials", burials),
        ])

    /// The table `log.spans` lists the pieces of a time-limited topic's table. Each piece covers a
    /// day, or less if the retention is short. Old records go when their piece is dropped.
    static let topics = """
        \(Migrator.Step.schema("log").sql);
        CREATE TABLE log.topics (
            id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            name text NOT NULL UNIQUE,
            partitions int NOT NULL CHECK (partitions > 0),
            cleanup text NOT NULL CHECK (cleanup IN ('delete', 'compact', 'forever')),
            retention_microseconds bigint,
            span_microseconds bigint,
            maximum_record_bytes int NOT NULL);
        CREATE TABLE log.partitions (
            topic int NOT NULL REFERENCES log.topics,
            partition int NOT NULL,
            start_offset bigint NOT NULL DEFAULT 0,
            next_offset bigint NOT NULL DEFAULT 0,
            last_appended_at timestamptz NOT NULL DEFAULT '-infinity',
            PRIMARY KEY (topic, partition))
            WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0,
                autovacuum_vacuum_threshold = 2000);
        CREATE TABLE log.compactions (
            topic int NOT NULL REFERENCES log.topics,
            partition int NOT NULL,
            compacted_to bigint NOT NULL,
            PRIMARY KEY (topic, partition));
        CREATE TABLE log.spans (
            topic int NOT NULL REFERENCES log.topics,
            starts_at timestamptz NOT NULL,
            ends_at timestamptz NOT NULL,
            table_name text NOT NULL,
            PRIMARY KEY (topic, starts_at));

        -- Text for people; bytes that are not UTF-8 are shown in hexadecimal. A block that catches
        -- is a subtransaction, and those can't be had in a parallel worker.
        CREATE FUNCTION log.text_of(bytes bytea) RETURNS text
        LANGUAGE plpgsql IMMUTABLE STRICT AS $body$
        BEGIN
            RETURN convert_from(bytes, 'UTF8');
        EXCEPTION WHEN character_not_in_repertoire OR untranslatable_character THEN
            RETURN bytes::text;
        END $body$;

        -- The headers' buffer: name length (2 bytes), name, value length (4 bytes), value, all
        -- little endian. Of headers with the same name the last is shown.
        CREATE FUNCTION log.headers_of(bytes bytea) RETURNS jsonb
        LANGUAGE plpgsql IMMUTABLE STRICT AS $body$
        DECLARE
            at int := 0;
            size int;
            name text;
            found jsonb := '{}';
        BEGIN
            WHILE at < length(bytes) LOOP
                size := get_byte(bytes, at) + 256 * get_byte(bytes, at + 1);
                name := log.text_of(substring(bytes FROM at + 3 FOR size));
                at := at + 2 + size;
                size := get_byte(bytes, at) + 256 * get_byte(bytes, at + 1)
                    + 65536 * get_byte(bytes, at + 2) + 16777216 * get_byte(bytes, at + 3);
                found := found || jsonb_build_object(
                    name, log.text_of(substring(bytes FROM at + 5 FOR size)));
                at := at + 4 + size;
            END LOOP;
            RETURN found;
        END $body$;
        """

    /// Each topic gets a table, a view of the topic's name that shows it as text, and an append
    /// function. The function is static SQL, so that the server plans it once per connection.
    static let createTopic = """
        -- The coming spans of a topic: this one and three more.
        CREATE FUNCTION log.extend(wanted int) RETURNS void
        LANGUAGE plpgsql AS $body$
        DECLARE
            span bigint;
            first bigint;
            starts timestamptz;
            ends timestamptz;
            piece text;
        BEGIN
            SELECT span_microseconds INTO span FROM log.topics WHERE id = wanted;
            IF span IS NULL THEN RETURN; END IF;
            PERFORM pg_advisory_xact_lock(7310, wanted);
            first := floor(extract(epoch FROM clock_timestamp()) * 1000000 / span);
            FOR number IN first .. first + 3 LOOP
                starts := to_timestamp(number * span / 1000000.0);
                ends := to_timestamp((number + 1) * span / 1000000.0);
                CONTINUE WHEN EXISTS (
                    SELECT FROM log.spans WHERE topic = wanted AND starts_at = starts);
                piece := format('records_%s_%s', wanted, number);
                -- Attached rather than created in place: that needs no exclusive lock.
                EXECUTE format(
                    'CREATE TABLE log.%I (LIKE log.records_%s INCLUDING ALL)
                        WITH (toast_tuple_target = 8160, autovacuum_vacuum_insert_threshold = -1)',
                    piece, wanted);
                EXECUTE format(
                    'ALTER TABLE log.records_%s ATTACH PARTITION log.%I
                        FOR VALUES FROM (%L) TO (%L)', wanted, piece, starts, ends);
                INSERT INTO log.spans VALUES (wanted, starts, ends, piece);
            END LOOP;
        END $body$;

        -- Gives the number of partitions that the topic has, made now or before.
        CREATE FUNCTION log.create_topic(
            wanted_name text, wanted_partitions int, wanted_cleanup text, wanted_retention bigint,
            wanted_span bigint, wanted_maximum int)
        RETURNS int LANGUAGE plpgsql AS $body$
        DECLARE
            topic log.topics;
        BEGIN
            PERFORM pg_advisory_xact_lock(7311, 0);
            SELECT * INTO topic FROM log.topics WHERE name = wanted_name;
            IF FOUND THEN
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

        CREATE FUNCTION log.create_records(topic int, cleanup text) RETURNS void
        LANGUAGE plpgsql AS $body$
        BEGIN
            -- Up to 8 kB a record stays in its row, as it is: the writers' time is dearer.
            EXECUTE format(
                'CREATE TABLE log.records_%s (partition int NOT NULL, "offset" bigint NOT NULL,
                    appended_at timestamptz NOT NULL, key bytea, value bytea,
                    headers bytea NOT NULL DEFAULT '''') %s', topic,
                CASE cleanup WHEN 'delete' THEN 'PARTITION BY RANGE (appended_at)'
                    ELSE 'WITH (toast_tuple_target = 8160)' END);
            EXECUTE format('CREATE INDEX ON log.records_%s (partition, "offset")', topic);
            IF cleanup = 'compact' THEN
                EXECUTE format(
                    'CREATE INDEX ON log.records_%s (partition, md5(key), "offset")', topic);
                EXECUTE format(
                    'CREATE INDEX ON log.records_%s (appended_at) WHERE value IS NULL', topic);
            END IF;
            EXECUTE format($append$
                CREATE FUNCTION log.append_%1$s(
                    in_partitions int[], in_counts bigint[], record_partitions int[],
                    record_ranks bigint[], keys bytea[], contents bytea[], all_headers bytea[])
                RETURNS TABLE (out_partition int, out_first bigint, out_at timestamptz)
                LANGUAGE plpgsql AS $inner$
                BEGIN
                    -- One record is the common case, and its statements the plainest.
                    IF cardinality(record_partitions) = 1 THEN
                        UPDATE log.partitions p SET next_offset = p.next_offset + 1,
                            last_appended_at = greatest(clock_timestamp(), p.last_appended_at)
                        WHERE p.topic = %1$s AND p.partition = record_partitions[1]
                        RETURNING p.partition, p.next_offset - 1, p.last_appended_at
                        INTO out_partition, out_first, out_at;
                        INSERT INTO log.records_%1$s VALUES (out_partition, out_first, out_at,
                            keys[1], contents[1], all_headers[1]);
                        RETURN NEXT;
                        RETURN;
                    END IF;
                    -- One order for all writers, so that they can't deadlock.
                    IF cardinality(in_partitions) > 1 THEN
                        PERFORM FROM log.partitions p
                        WHERE p.topic = %1$s AND p.partition = ANY (in_partitions)
                        ORDER BY p.partition FOR NO KEY UPDATE;
                    END IF;
                    RETURN QUERY
                    WITH base AS (
                        UPDATE log.partitions p SET next_offset = p.next_offset + c.records,
                            last_appended_at = greatest(clock_timestamp(), p.last_appended_at)
                        FROM unnest(in_partitions, in_counts) c (partition, records)
                        WHERE p.topic = %1$s AND p.partition = c.partition
                        RETURNING p.partition, p.next_offset - c.records AS first,
                            p.last_appended_at AS at
                    ), added AS (
                        INSERT INTO log.records_%1$s
                        SELECT r.partition, b.first + r.rank, b.at, r.key, r.value, r.headers
                        FROM unnest(record_partitions, record_ranks, keys, contents, all_headers)
                            r (partition, rank, key, value, headers)
                        JOIN base b ON b.partition = r.partition
                    ) SELECT b.partition, b.first, b.at FROM base b;
                END $inner$ $append$, topic);
        END $body$;
        """

    /// Binary search works because `appended_at` never decreases within a partition.
    static let offsetAt = """
        CREATE FUNCTION log.offset_at(wanted int, wanted_partition int, moment timestamptz)
        RETURNS bigint LANGUAGE plpgsql AS $body$
        DECLARE
            low bigint;
            high bigint;
            middle bigint;
            answer bigint;
            found_offset bigint;
            found_at timestamptz;
        BEGIN
            SELECT start_offset, next_offset, next_offset INTO low, high, answer
            FROM log.partitions WHERE topic = wanted AND partition = wanted_partition;
            WHILE low < high LOOP
                middle := (low + high) / 2;
                EXECUTE format(
                    'SELECT "offset", appended_at FROM log.records_%s
                    WHERE partition = $1 AND "offset" >= $2 AND "offset" < $3
                    ORDER BY "offset" LIMIT 1', wanted)
                INTO found_offset, found_at USING wanted_partition, middle, high;
                IF found_offset IS NULL THEN
                    high := middle;
                ELSIF found_at < moment THEN
                    low := found_offset + 1;
                ELSE
                    high := middle;
                    answer := found_offset;
                END IF;
            END LOOP;
            RETURN answer;
        END $body$;
        """
}
