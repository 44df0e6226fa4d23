import Events
import LogViews
import Postgres
import Retrying
import ServiceHost
import Timetables

/// Forgets bookings that ended over a month ago or were cancelled over a week ago. Those of feeds
/// that nobody fetches any more or that can't be read go, too. So do pauses of hosts that are over.
struct PastBookings: Sendable {
    private static let interval = Duration.seconds(3_600)
    /// The bookings of one transaction.
    private static let atOnce = 1_000

    let pool: PostgresPool
    let clock: EventClock
    let bell: OutboxBell

    func keep(_ notices: Notices) async {
        await attemptUntilDone("Forgetting past bookings", notices: notices) { retry in
            while !Task.isCancelled {
                try await haveReadAgain()
                while try await runOnce() == Self.atOnce {}
                try await pool.query(
                    """
                    DELETE FROM timetables.hosts
                    WHERE not_before <= $1 OR not_before > $1 + \(FeedClaims.longestPause)
                    """,
                    [.timestamp(microseconds: clock.now.microseconds)])
                retry.ended()
                try? await Task.sleep(for: Self.interval)
            }
        }
    }

    /// Has feeds read again whose last reading may have shown bookings that are forgotten now. The
    /// clock is ahead then, and an unchanged feed would lack its bookings until the next day.
    func haveReadAgain() async throws {
        let ended = TimetableHorizon.forgotten(at: clock.now)
        try await pool.query(
            """
            UPDATE timetables.feeds AS feed SET hash = NULL, etag = NULL, modified = NULL
            WHERE hash IS NOT NULL AND (site, id) IN (
                SELECT booking.site, booking.feed FROM timetables.bookings AS booking
                JOIN timetables.feeds AS known
                    ON known.site = booking.site AND known.id = booking.feed
                WHERE booking.ends_at < $1
                    AND booking.ends_at > known.parsed_at - interval '8 days')
            """, [.timestamp(microseconds: ended.microseconds)])
    }

    /// Forgets the first of them. The result is their number.
    func runOnce() async throws -> Int {
        let now = clock.now
        let count = try await pool.withTransaction { connection in
            try TimetableRows.removePast(
                endedBefore: TimetableHorizon.forgotten(at: now),
                cancelledBefore: TimetableHorizon.cancelledForgotten(at: now),
                atMost: Self.atOnce, connection: connection)
        }
        if count > 0 { bell.ring() }
        return count
    }
}
