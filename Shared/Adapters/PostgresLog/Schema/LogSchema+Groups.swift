extension LogSchema {
    /// The member `owner` may commit a partition; `target` is the member that should own it. They
    /// differ while a live owner has yet to release the partition.
    static let groups = """
        CREATE TABLE log.groups (
            name text PRIMARY KEY,
            generation bigint NOT NULL DEFAULT 0);
        CREATE TABLE log.members (
            group_name text NOT NULL REFERENCES log.groups,
            member uuid NOT NULL,
            topics int[] NOT NULL,
            heartbeat_at timestamptz NOT NULL,
            PRIMARY KEY (group_name, member)) WITH (fillfactor = 50);
        CREATE TABLE log.group_partitions (
            group_name text NOT NULL REFERENCES log.groups,
            topic int NOT NULL REFERENCES log.topics,
            partition int NOT NULL,
            owner uuid,
            target uuid,
            next_offset bigint,
            PRIMARY KEY (group_name, topic, partition))
            WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0,
                autovacuum_vacuum_threshold = 2000);

        -- Moves the group's offsets on, or fails with WL001 when any of the partitions is not the
        -- member's, or was moved on by somebody else.
        CREATE FUNCTION log.commit_group(
            wanted text, me uuid, topics int[], partitions int[], expected bigint[],
            nexts bigint[])
        RETURNS void LANGUAGE plpgsql AS $body$
        DECLARE
            hit int;
        BEGIN
            IF cardinality(topics) > 1 THEN
                PERFORM FROM log.group_partitions g
                JOIN unnest(topics, partitions) c (topic, partition)
                    ON g.topic = c.topic AND g.partition = c.partition
                WHERE g.group_name = wanted
                ORDER BY g.topic, g.partition FOR NO KEY UPDATE OF g;
            END IF;
            IF cardinality(topics) = 1 THEN
                UPDATE log.group_partitions g SET next_offset = nexts[1]
                WHERE g.group_name = wanted AND g.topic = topics[1]
                    AND g.partition = partitions[1] AND g.owner = me
                    AND coalesce(g.next_offset, -1) = expected[1];
            ELSE
                UPDATE log.group_partitions g SET next_offset = c.next
                FROM unnest(topics, partitions, expected, nexts)
                    c (topic, partition, expected, next)
                WHERE g.group_name = wanted AND g.topic = c.topic AND g.partition = c.partition
                    AND g.owner = me AND coalesce(g.next_offset, -1) = c.expected;
            END IF;
            GET DIAGNOSTICS hit = ROW_COUNT;
            IF hit <> cardinality(topics)
                OR hit = 0 AND NOT EXISTS (
                    SELECT FROM log.members m WHERE m.group_name = wanted AND m.member = me)
            THEN
                RAISE EXCEPTION 'the partitions belong to another member' USING ERRCODE = 'WL001';
            END IF;
        END $body$;
        """

    /// Shares partitions out with as few changes of owner as possible. A partition stays with its
    /// target while that member lives. A partition without one goes to the member with the fewest.
    /// Then members with two more than another give one up.
    static let rebalance = """
        CREATE FUNCTION log.is_live(heartbeat_at timestamptz, session_microseconds bigint)
        RETURNS bool LANGUAGE sql STABLE AS $body$
            -- A server that was down could hear nobody, so its start counts as a heartbeat.
            SELECT greatest(heartbeat_at, pg_postmaster_start_time())
                >= clock_timestamp() - make_interval(secs => session_microseconds / 1000000.0)
        $body$;

        CREATE FUNCTION log.lock_group(wanted text) RETURNS void
        LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM FROM log.groups WHERE name = wanted FOR UPDATE;
            PERFORM FROM log.group_partitions WHERE group_name = wanted
            ORDER BY topic, partition FOR NO KEY UPDATE;
        END $body$;

        -- The caller holds the group's lock.
        CREATE FUNCTION log.rebalance(wanted text, session_microseconds bigint) RETURNS void
        LANGUAGE plpgsql AS $body$
        DECLARE
            loose record;
            given record;
        BEGIN
            DELETE FROM log.members m
            WHERE m.group_name = wanted AND NOT log.is_live(m.heartbeat_at, session_microseconds);
            UPDATE log.group_partitions g SET target = NULL
            WHERE g.group_name = wanted AND target IS NOT NULL AND NOT EXISTS (
                SELECT FROM log.members m WHERE m.group_name = wanted AND m.member = g.target
                    AND g.topic = ANY (m.topics));
            FOR loose IN
                SELECT g.topic, g.partition FROM log.group_partitions g
                WHERE g.group_name = wanted AND g.target IS NULL ORDER BY g.partition, g.topic
            LOOP
                UPDATE log.group_partitions g SET target = (
                    SELECT m.member FROM log.members m
                    WHERE m.group_name = wanted AND loose.topic = ANY (m.topics)
                    ORDER BY (SELECT count(*) FROM log.group_partitions o
                        WHERE o.group_name = wanted AND o.target = m.member), m.member LIMIT 1)
                WHERE g.group_name = wanted AND g.topic = loose.topic
                    AND g.partition = loose.partition;
            END LOOP;
            LOOP
                WITH loads AS (
                    SELECT m.member, m.topics, (SELECT count(*) FROM log.group_partitions o
                        WHERE o.group_name = wanted AND o.target = m.member) AS load
                    FROM log.members m WHERE m.group_name = wanted)
                SELECT g.topic, g.partition, poor.member INTO given
                FROM loads rich
                JOIN loads poor ON rich.load - poor.load > 1
                JOIN log.group_partitions g ON g.group_name = wanted AND g.target = rich.member
                    AND g.topic = ANY (poor.topics)
                ORDER BY rich.load - poor.load DESC, poor.member, g.partition DESC, g.topic LIMIT 1;
                EXIT WHEN NOT FOUND;
                UPDATE log.group_partitions g SET target = given.member
                WHERE g.group_name = wanted AND g.topic = given.topic
                    AND g.partition = given.partition;
            END LOOP;
            PERFORM log.hand_over(wanted);
            UPDATE log.groups SET generation = generation + 1 WHERE name = wanted;
            PERFORM pg_notify('whereabouts_log', 'g ' || wanted);
        END $body$;

        -- What nobody owns, or somebody who is gone, passes to its target.
        CREATE FUNCTION log.hand_over(wanted text) RETURNS void
        LANGUAGE sql AS $body$
            UPDATE log.group_partitions g SET owner = target
            WHERE g.group_name = wanted AND g.owner IS DISTINCT FROM g.target AND NOT EXISTS (
                SELECT FROM log.members m WHERE m.group_name = wanted AND m.member = g.owner)
        $body$;

        CREATE FUNCTION log.join_group(
            wanted text, me uuid, wanted_topics int[], session_microseconds bigint)
        RETURNS void LANGUAGE plpgsql AS $body$
        BEGIN
            INSERT INTO log.groups VALUES (wanted) ON CONFLICT DO NOTHING;
            PERFORM log.lock_group(wanted);
            INSERT INTO log.members VALUES (wanted, me, wanted_topics, clock_timestamp());
            INSERT INTO log.group_partitions (group_name, topic, partition)
            SELECT wanted, p.topic, p.partition FROM log.partitions p
            WHERE p.topic = ANY (wanted_topics) ORDER BY p.topic, p.partition
            ON CONFLICT DO NOTHING;
            PERFORM log.rebalance(wanted, session_microseconds);
        END $body$;

        CREATE FUNCTION log.leave_group(wanted text, me uuid, session_microseconds bigint)
        RETURNS void LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM log.lock_group(wanted);
            DELETE FROM log.members WHERE group_name = wanted AND member = me;
            IF FOUND THEN PERFORM log.rebalance(wanted, session_microseconds); END IF;
        END $body$;

        -- A member lets go of what is meant for others.
        CREATE FUNCTION log.release(wanted text, me uuid) RETURNS void
        LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM log.lock_group(wanted);
            UPDATE log.group_partitions g SET owner = target
            WHERE g.group_name = wanted AND g.owner = me AND g.target IS DISTINCT FROM me;
            PERFORM pg_notify('whereabouts_log', 'g ' || wanted);
        END $body$;

        -- Whether the member is still one, and whether another's time has run out. To bury those
        -- is a transaction of its own, as it waits for the group's lock.
        CREATE FUNCTION log.heartbeat(
            wanted text, me uuid, session_microseconds bigint, OUT lives bool, OUT mourns bool)
        LANGUAGE plpgsql AS $body$
        BEGIN
            UPDATE log.members SET heartbeat_at = clock_timestamp()
            WHERE group_name = wanted AND member = me;
            lives := FOUND;
            mourns := EXISTS (SELECT FROM log.members m WHERE m.group_name = wanted
                AND NOT log.is_live(m.heartbeat_at, session_microseconds));
        END $body$;

        CREATE FUNCTION log.bury(wanted text, session_microseconds bigint) RETURNS void
        LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM log.lock_group(wanted);
            IF EXISTS (SELECT FROM log.members m WHERE m.group_name = wanted
                AND NOT log.is_live(m.heartbeat_at, session_microseconds))
            THEN PERFORM log.rebalance(wanted, session_microseconds); END IF;
        END $body$;
        """

    /// Moves a group's offsets, which operators do after the log lost records. The group must have
    /// no members, because they would go on from where they are.
    static let moving = """
        CREATE FUNCTION log.move_group(
            wanted text, topics int[], partitions int[], nexts bigint[],
            session_microseconds bigint)
        RETURNS void LANGUAGE plpgsql AS $body$
        BEGIN
            INSERT INTO log.groups VALUES (wanted) ON CONFLICT DO NOTHING;
            PERFORM log.lock_group(wanted);
            IF EXISTS (SELECT FROM log.members m WHERE m.group_name = wanted
                AND log.is_live(m.heartbeat_at, session_microseconds))
            THEN
                RAISE EXCEPTION 'the group % has members', wanted USING ERRCODE = 'WL001';
            END IF;
            INSERT INTO log.group_partitions (group_name, topic, partition, next_offset)
            SELECT wanted, c.topic, c.partition, c.next
            FROM unnest(topics, partitions, nexts) c (topic, partition, next)
            ORDER BY c.topic, c.partition
            ON CONFLICT (group_name, topic, partition)
                DO UPDATE SET next_offset = EXCLUDED.next_offset;
        END $body$;
        """
}
