/// All metrics of our own, for the page about them. A test compares it with running services.
public enum MetricTable {
    public struct Row: Sendable {
        public let name: String
        public let labels: [String]
        /// The services that show it.
        public let shownBy: String
        public let meaning: String
    }

    public static let rows = process + log + data + locating

    private static func row(
        _ name: String, with labels: [String] = [], by services: String = "all", _ meaning: String
    ) -> Row {
        Row(name: "whereabouts_" + name, labels: labels, shownBy: services, meaning: meaning)
    }

    private static let process = [
        row("build_info", with: ["version"], "1; the label has the version of the program"),
        row("ready", "1 while every part of the process can work, else 0"),
        row("alarms", with: ["work"], "1 while work has failed for 30 s, or has stopped for good"),
        row("allocated_bytes", "allocated memory"),
        row(
            "http_responses_total", with: ["route", "class"],
            "responses, by route and class of status"),
        row(
            "http_response_seconds", with: ["route"], "histogram: from the first byte to the answer"
        ),
        row("over_quota_total", "requests refused with the status 429"),
        row("metrics_series_not_shown_total", "series left out, since their metric had too many"),
        row(
            "disk_free_bytes", with: ["machine", "path"],
            "free bytes of the disk that holds the path"),
        row(
            "disk_free_ratio", with: ["machine", "path"], "the free part of the disk, from 0 to 1"),
        row(
            "disk_full_in_seconds", with: ["machine", "path"],
            "seconds until the disk is full; infinite in the first half hour"),
    ]

    private static let log = [
        row(
            "lag_records", with: ["group", "topic"], by: "all but router",
            "records that a consumer or a view has not read"),
        row(
            "open_transaction_records", with: ["topic"], by: "locator",
            "records that wait for the end of a transaction"),
        row(
            "hanging_transactions", by: "locator",
            "partitions whose transaction does not end"),
        row("records_set_aside_total", "records set aside, of any kind"),
        row(
            "dead_letters_total", with: ["topic", "code"], "records set aside, by their reason"),
        row(
            "blocked_senders", by: "scan-ingest, site-editor",
            "tokens with more than 100 records set aside within an hour"),
        row(
            "kafka_messages_waiting", with: ["type"], "on Kafka: messages in producers' queues"),
        row("kafka_bytes_waiting", with: ["type"], "on Kafka: bytes in producers' queues"),
        row("kafka_messages_sent", with: ["type"], "on Kafka: messages sent by running clients"),
        row(
            "kafka_messages_received", with: ["type"],
            "on Kafka: messages received by running clients"),
        row("kafka_events_waiting", with: ["type"], "on Kafka: events waiting to be polled"),
    ]

    /// The services with an outbox.
    private static let senders = "site-editor, fingerprint-builder, timetable-fetcher"

    private static let data = [
        row("database_bytes", by: "those with tables", "the size of the database"),
        row(
            "database_oldest_transaction_seconds", by: "those with tables",
            "age of the oldest transaction of the service's role"),
        row(
            "clock_skew_seconds", by: "those with tables",
            "how far the clocks of PostgreSQL and this machine are apart"),
        row(
            "log_ahead_seconds", by: "those with tables",
            "on PostgreSQL: how far the log's newest time lies ahead of the clock"),
        row(
            "outbox_events", with: ["outbox"], by: senders,
            "events that wait for the log"),
        row(
            "outbox_oldest_seconds", with: ["outbox"], by: senders,
            "for how long the oldest of them has waited"),
        row(
            "outbox_set_aside", with: ["outbox"], by: senders,
            "events that the log refused, and nobody has handled"),
        row(
            "not_reconciled", with: ["outbox"], by: senders,
            "1 while its tables and the log do not fit, else 0"),
        row(
            "backup_age_seconds", by: "site-editor",
            "seconds since the last good backup; only with a place for backups"),
        row("backup_ok", by: "site-editor", "0 if the last backup failed, else 1"),
        row(
            "alarm_channel_works", with: ["channel"], by: "site-editor",
            "0 while alarms can't be delivered by this channel, else 1"),
        row("backup_damaged", by: "site-editor", "1 if the last check found a damaged backup"),
        row(
            "certificate_days", with: ["address"], by: "site-editor",
            "days until a certificate ends; only where one is shown"),
        row(
            "sites_without_rules", by: "site-editor",
            "sites with surveys and without rules for access points"),
    ]

    private static let locating = [
        row("scans_accepted_total", by: "scan-ingest", "scans and surveys that the log has"),
        row("scans_rejected_total", by: "scan-ingest", "scans and surveys that were refused"),
        row("sightings_accepted_total", by: "scan-ingest", "sightings that the log has"),
        row("sightings_rejected_total", by: "scan-ingest", "sightings that were refused"),
        row(
            "sightings_unknown_node_total", by: "scan-ingest",
            "accepted sightings of nodes that their site has no place of"),
        row(
            "sightings_dropped_total", with: ["reason"], by: "scan-ingest",
            "sightings that became part of no scan"),
        row("positions_smoothed_total", by: "locator", "positions that were smoothed"),
        row("taps_accepted_total", by: "scan-ingest", "taps that the log has"),
        row("taps_rejected_total", by: "scan-ingest", "taps that were refused"),
        row(
            "foreign_left_out_total", with: ["system"], by: "scan-ingest",
            "records of other systems that were left out, since they can't be used"),
        row(
            "mqtt_connected", by: "scan-ingest",
            "1 while the MQTT broker has a subscription, else 0; missing without a broker"),
        row(
            "mqtt_messages_total", with: ["outcome"], by: "scan-ingest",
            "messages of the MQTT broker, by their outcome"),
        row("scans_joined_total", by: "scan-ingest", "scans that sightings were joined to"),
        row(
            "readings_dropped_total", with: ["reason"], by: "scan-ingest",
            "readings left out of scans and surveys for privacy"),
        row(
            "positions_total", with: ["state"], by: "locator", "positions of scans, by state"),
        row(
            "sender_skew_seconds", by: "locator",
            "the largest fault of a sender's clock in the last ten to twenty minutes"),
        row(
            "positioner_works", with: ["positioner"], by: "locator",
            "1 while the positioner works, else 0"),
        row(
            "feed_fetches_total", with: ["outcome"], by: "timetable-fetcher",
            "fetches of feeds, by their outcome"),
        row(
            "feed_oldest_intervals", by: "timetable-fetcher",
            "the age of the stalest feed's last good fetch, in its own intervals"),
        row(
            "beacon_batteries_low", with: ["site"], by: "locator",
            "a site's beacons whose battery is below 20 percent; from its first battery on"),
        row("streams", by: "locator", "clients that follow positions, groups or batteries now"),
        row("streams_ratio", by: "locator", "the part of the permitted streams that is open"),
    ]
}
