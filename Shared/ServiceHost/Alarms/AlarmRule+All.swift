extension AlarmRule {
    /// The metric that shows whether a process answers. Prometheus makes it by itself.
    public static let answering = "up"

    public static let all = processes + data + people

    /// Whether the processes work.
    private static let processes = [
        AlarmRule(
            "service-away", answering, .below(1), for: 2, .wrong,
            "A service does not answer.",
            advice: "Start it, and read the end of its log."),
        AlarmRule(
            "not-ready", "whereabouts_ready", .below(1), for: 2, .wrong,
            "A service runs, but a part of it can't work.",
            advice: "`whereabouts doctor` and the service's `/readyz` name the part and the reason."
        ),
        AlarmRule(
            "work-fails", "whereabouts_alarms", .above(0), for: 1, .wrong, labels: ["work"],
            "Work has failed for more than 30 seconds, or has stopped for good.",
            advice: "The log has the reason. Mend it; restart the service if it says so."),
        AlarmRule(
            "lag", "whereabouts_lag_records", .above(10_000), for: 10, .warning,
            labels: ["group", "topic"],
            "A consumer is far behind, so positions or views are late.",
            advice: "If it shrinks, wait. If it grows, add members or machines (scale-out.md)."),
        AlarmRule(
            "transaction-hangs", "whereabouts_hanging_transactions", .above(0), .wrong,
            "A transaction on the log does not end, and blocks its readers.",
            advice: "docs/decisions/0006 names the commands that end it."),
        AlarmRule(
            "database-transaction", "whereabouts_database_oldest_transaction_seconds",
            .above(3_600), for: 5, .warning,
            "A transaction of PostgreSQL is older than an hour, so old rows can't go.",
            advice:
                "Find it in `pg_stat_activity` by `xact_start`; end it by `pg_terminate_backend`."
        ),
        AlarmRule(
            "positioner", "whereabouts_positioner_works", .below(1), for: 1, .wrong,
            labels: ["positioner"],
            "A positioner does not work, so its devices are lost.",
            advice: "The locator's log has its reason; docs/positioner-protocol.md explains it."),
    ]

    /// Whether the data is safe.
    private static let data = [
        AlarmRule(
            "not-reconciled", "whereabouts_not_reconciled", .above(0), .wrong, labels: ["outbox"],
            "PostgreSQL is older than the log, or the log is another one: nothing is changed.",
            advice: "`whereabouts reconcile --check` says what is missing (restore.md)."),
        AlarmRule(
            "disk-low", "whereabouts_disk_free_ratio", .below(0.1), for: 5, .warning,
            labels: ["machine", "path"], isOfMachine: true,
            "Less than a tenth of a disk is free.",
            advice: "Make room, or keep records for a shorter time (disk.md)."),
        AlarmRule(
            "disk-full", "whereabouts_disk_free_ratio", .below(0.03), for: 1, .wrong,
            labels: ["machine", "path"], isOfMachine: true,
            "A disk is almost full. Nothing is accepted any more when it is.",
            advice: "Make room now: old backups and logs first. Then read disk.md."),
        AlarmRule(
            "disk-fills", "whereabouts_disk_full_in_seconds", .below(172_800), for: 30, .warning,
            labels: ["machine", "path"], isOfMachine: true,
            "A disk will be full within two days, if it goes on like this.",
            advice: "Look for what grows (disk.md), and make room before."),
        AlarmRule(
            "backup-old", "whereabouts_backup_age_seconds", .above(93_600), .wrong,
            "The last good backup is older than 26 hours.",
            advice: "Run `whereabouts backup nightly`, and look why its timer did not."),
        AlarmRule(
            "backup-failed", "whereabouts_backup_ok", .below(1), .wrong,
            "The last backup failed.",
            advice: "Its log has the reason. Mend it, then run `whereabouts backup nightly`."),
        AlarmRule(
            "backup-damaged", "whereabouts_backup_damaged", .above(0), .wrong,
            "A backup is not what was backed up.",
            advice: "Its log names the file. Bring it from a copy, or delete the folder of that "
                + "backup, never `erasures`; then run `whereabouts backup check`."),
        AlarmRule(
            "certificate", "whereabouts_certificate_days", .below(10), .warning,
            labels: ["address"],
            "A certificate ends within ten days. Then browsers and telephones refuse it.",
            advice: "Renew it. Caddy does that by itself, so read Caddy's log first (https.md)."),
        AlarmRule(
            "outbox-waits", "whereabouts_outbox_oldest_seconds", .above(60), for: 1, .wrong,
            labels: ["outbox"],
            "Changes of sites, tokens or maps wait for the log.",
            advice: "The log is away or refuses them: read the log of the service."),
        AlarmRule(
            "outbox-aside", "whereabouts_outbox_set_aside", .above(0), .warning,
            labels: ["outbox"],
            "The log refused a change, so the services don't know it.",
            advice: "The reason is in the table `outbox_set_aside`. Make the change again, then "
                + "delete the row."),
        AlarmRule(
            "dead-letters", "whereabouts_records_set_aside_total",
            .grownBy(0, withinMinutes: 15), .warning,
            "Records were set aside, because they can't be read or are not allowed.",
            advice: "`whereabouts dead-letters list` shows them and their reasons."),
        AlarmRule(
            "clock", "whereabouts_clock_skew_seconds", .above(5), for: 5, .warning,
            "The clocks of two machines differ by more than five seconds.",
            advice: "Let all machines keep their time by NTP, such as systemd-timesyncd."),
        AlarmRule(
            "log-ahead", "whereabouts_log_ahead_seconds", .above(60), for: 5, .warning,
            "The log's newest time lies ahead, so new records outlive their retention.",
            advice: "PostgreSQL's clock was ahead. If it was by more than a day, make a backup and "
                + "restore it (restore.md)."),
        AlarmRule(
            "alarm-channel", "whereabouts_alarm_channel_works", .below(1), for: 5, .wrong,
            labels: ["channel"],
            "Alarms can't be delivered by mail or to the webhook.",
            advice: "The log of site-editor has the reason. Mend the settings, or the server."),
    ]

    /// Whether senders and readers are served.
    private static let people = [
        AlarmRule(
            "quota", "whereabouts_over_quota_total", .grownBy(100, withinMinutes: 15), .warning,
            "Many requests are refused, because a sender is over its quota.",
            advice: "Find the sender in the proxy's log. Mend it, or raise its quota."),
        AlarmRule(
            "blocked-senders", "whereabouts_blocked_senders", .above(0), .warning,
            "A token is blocked, since too many of its records were set aside.",
            advice: "The log names the token. Mend its program; the block ends by itself."),
        AlarmRule(
            "feed-stale", "whereabouts_feed_oldest_intervals", .above(12), for: 5, .warning,
            "A feed of timetables or free computers was not read for twelve of its intervals.",
            advice: "`GET /v1/sites/{site}/feeds` shows which; its report has the reason."),
        AlarmRule(
            "streams", "whereabouts_streams_ratio", .above(0.9), for: 5, .warning,
            "Nine tenths of the permitted streams are open.",
            advice: "Raise WHEREABOUTS_STREAMS, or add a locator."),
        AlarmRule(
            "beacon-batteries", "whereabouts_beacon_batteries_low", .above(0), .warning,
            labels: ["site"], isAlarm: false,
            "Batteries of beacons are below 20 percent.",
            advice: "`GET /v1/sites/{site}/beacon-batteries` shows whose. Change them."),
        AlarmRule(
            "sender-clock", "whereabouts_sender_skew_seconds", .above(3_600), .warning,
            isAlarm: false,
            "A sender's clock was wrong by more than an hour; its scans were corrected.",
            advice: "Let scanners keep their time by NTP."),
        AlarmRule(
            "privacy-rules", "whereabouts_sites_without_rules", .above(0), .warning,
            isAlarm: false,
            "Surveys come from sites without rules for access points, so strangers' are kept.",
            advice: "Name the site's own networks in `accessPoints.allow` (docs/privacy.md)."),
    ]
}
