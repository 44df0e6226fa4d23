import EventLog
import LogViews
import Postgres
import Wire

/// Timetable-fetcher's tables. They are not a view of the log; the log gets its events from them.
enum TimetableSchema {
    static let name = "timetables"
    /// The `source` of the events (CloudEvents).
    static let source = "/timetable-fetcher"
    static let outbox = Outbox(
        schema: name, topics: [Topic.timetables, .availability].map(\.name),
        largestRecord: { Topic.largestRecord($0) })

    static let migrator = Migrator(
        schema: name,
        steps: [
            .schema("timetables"), Migrator.Step("feeds", feeds),
            Migrator.Step("bookings", bookings), outbox.migration, outbox.markMigration,
            Migrator.Step("leases", leases), Migrator.Step("clocks", clocks),
        ])

    static func migrate(_ pool: PostgresPool) async throws {
        try await pool.withConnection { _ = try await migrator.migrate($0) }
    }

    private static let leases = """
        -- Each claim has another one, so that a process whose lease has ended can't store.
        ALTER TABLE timetables.feeds ADD COLUMN lease_id text;
        -- Its rows are being removed, and then the feed itself.
        ALTER TABLE timetables.feeds ADD COLUMN is_removed boolean NOT NULL DEFAULT false
        """

    private static let clocks = """
        -- The time by the clock that set next_at. Where it is ahead, that clock was wrong.
        ALTER TABLE timetables.feeds ADD COLUMN next_from timestamptz;
        -- When the last fetch began, by PostgreSQL's clock.
        ALTER TABLE timetables.feeds ADD COLUMN claimed_at timestamptz
        """

    private static let feeds = """
        CREATE TABLE timetables.feeds (
            site text NOT NULL,
            id text NOT NULL,
            settings bytea NOT NULL,
            -- Sealed with a key made of the services' secret: it may hold secrets of others.
            address bytea NOT NULL,
            host text NOT NULL,
            is_enabled boolean NOT NULL,
            every_seconds bigint NOT NULL,
            created_at timestamptz NOT NULL DEFAULT now(),
            -- Counts changes of the settings: a fetch with former ones is not taken.
            revision bigint NOT NULL DEFAULT 0,
            next_at timestamptz NOT NULL,
            lease_until timestamptz,
            -- An administrator has it fetched once in spite of its host's pause.
            ignores_pause boolean NOT NULL DEFAULT false,
            etag text,
            modified text,
            hash bytea,
            parsed_at timestamptz,
            site_version bigint,
            was_empty boolean NOT NULL DEFAULT false,
            good_at timestamptz,
            report bytea,
            PRIMARY KEY (site, id));
        CREATE INDEX due_feeds ON timetables.feeds (next_at) WHERE is_enabled;
        -- The pauses that hosts asked for.
        CREATE TABLE timetables.hosts (
            host text PRIMARY KEY,
            not_before timestamptz NOT NULL)
        """

    private static let bookings = """
        CREATE TABLE timetables.bookings (
            site text NOT NULL,
            id uuid NOT NULL,
            feed text NOT NULL,
            starts_at timestamptz NOT NULL,
            ends_at timestamptz NOT NULL,
            is_cancelled boolean NOT NULL,
            -- The booking as the event RoomBooked.
            event bytea NOT NULL,
            -- A hash of the booking, which tells without reading the event whether it is the same.
            digest bytea NOT NULL,
            -- The time of its last event.
            changed_at timestamptz NOT NULL DEFAULT now(),
            PRIMARY KEY (site, id));
        CREATE INDEX bookings_of_feed ON timetables.bookings (site, feed);
        CREATE INDEX past_bookings ON timetables.bookings (ends_at);
        CREATE INDEX cancelled_bookings ON timetables.bookings (changed_at) WHERE is_cancelled;
        CREATE TABLE timetables.booking_rooms (
            site text NOT NULL,
            room text NOT NULL,
            id uuid NOT NULL,
            starts_at timestamptz NOT NULL,
            ends_at timestamptz NOT NULL,
            PRIMARY KEY (site, room, id),
            FOREIGN KEY (site, id) REFERENCES timetables.bookings ON DELETE CASCADE);
        CREATE INDEX bookings_of_room ON timetables.booking_rooms (site, room, ends_at);
        CREATE INDEX rooms_of_booking ON timetables.booking_rooms (site, id);
        CREATE TABLE timetables.counts (
            site text NOT NULL,
            feed text NOT NULL,
            room text NOT NULL,
            event bytea NOT NULL,
            PRIMARY KEY (site, feed, room))
        """
}
