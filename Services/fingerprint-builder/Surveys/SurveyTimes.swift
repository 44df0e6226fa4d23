import LogViews
import Postgres

/// The times by which a row of `surveys` is withdrawn or erased, for every query about them.
///
/// Releases before `received_at` wrote rows without it, and one of them may still run beside this
/// one during an upgrade. Such a row arrived when it was made, as far as anybody knows.
enum SurveyTimes {
    /// Fills what earlier releases left out of their rows.
    static func migration(schema: String) -> Migrator.Step {
        Migrator.Step(
            "arrival-of-former-surveys",
            """
            UPDATE \(schema).surveys
            SET received_at = coalesce(received_at,
                    (convert_from(event, 'UTF8')::json ->> 'receivedAt')::timestamptz),
                author = coalesce(author, convert_from(event, 'UTF8')::json ->> 'author')
            WHERE received_at IS NULL
            """)
    }

    /// Whether the device of a survey was erased, and the survey is from before.
    ///
    /// The earlier of the two times counts. A device may keep a survey and send it after the
    /// erasure. And a clock that runs ahead must not save one that had arrived.
    static func isErased(_ surveys: String, by erased: String) -> String {
        """
        \(erased).site = \(surveys).site AND \(erased).device = \(surveys).device
            AND least(\(surveys).at, \(surveys).received_at) <= \(erased).erased_until
        """
    }

    /// Whether a survey is one of those that an author withdrew all together.
    static func isWithdrawn(_ surveys: String, by authors: String) -> String {
        """
        \(authors).site = \(surveys).site AND \(authors).author = \(surveys).author
            AND coalesce(\(surveys).received_at, \(surveys).at) < \(authors).before
        """
    }
}
