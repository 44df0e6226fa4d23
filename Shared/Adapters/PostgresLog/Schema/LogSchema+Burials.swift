extension LogSchema {
    /// Only `log.bury` removes dead members, and only a member that could beat itself asks for it.
    ///
    /// After a machine or a disk stood still for a moment, all heartbeats come late. The first to
    /// come would find the others dead, though theirs follow within milliseconds.
    static let burials = """
        CREATE OR REPLACE FUNCTION log.heartbeat(
            wanted text, me uuid, session_microseconds bigint, OUT lives bool, OUT mourns bool)
        LANGUAGE plpgsql AS $body$
        DECLARE
            session interval := make_interval(secs => session_microseconds / 1000000.0);
            former timestamptz;
        BEGIN
            IF NOT EXISTS (
                SELECT FROM log.members WHERE heartbeat_at >= clock_timestamp() - session)
            THEN
                UPDATE log.stalls SET ended_at = clock_timestamp()
                WHERE ended_at < clock_timestamp() - session;
            END IF;
            SELECT heartbeat_at INTO former FROM log.members
            WHERE group_name = wanted AND member = me;
            lives := FOUND;
            -- Whoever holds the row decides whether the member stays; the next beat will tell.
            UPDATE log.members m SET heartbeat_at = clock_timestamp()
            FROM (SELECT FROM log.members WHERE group_name = wanted AND member = me
                FOR NO KEY UPDATE SKIP LOCKED) mine
            WHERE m.group_name = wanted AND m.member = me;
            mourns := lives AND former >= clock_timestamp() - session / 2
                AND EXISTS (SELECT FROM log.members m WHERE m.group_name = wanted
                    AND NOT log.is_live(m.heartbeat_at, session_microseconds));
        END $body$;

        -- Without a session nobody is dead.
        CREATE OR REPLACE FUNCTION log.join_group(
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
            PERFORM log.rebalance(wanted, NULL);
        END $body$;

        CREATE OR REPLACE FUNCTION log.leave_group(
            wanted text, me uuid, session_microseconds bigint)
        RETURNS void LANGUAGE plpgsql AS $body$
        BEGIN
            PERFORM log.lock_group(wanted);
            DELETE FROM log.members WHERE group_name = wanted AND member = me;
            IF FOUND THEN PERFORM log.rebalance(wanted, NULL); END IF;
        END $body$;
        """
}
