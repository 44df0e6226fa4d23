/// One place where data about people lies: what, why, until when, and what an erasure does there.
///
/// `PersonalData.all` is the only list of them. docs/privacy.md is printed from it, and a test
/// compares it with the topics, the tables and the cookies of a running installation.
public struct PersonalDatum: Hashable, Sendable {
    public enum Place: Hashable, Sendable {
        /// A topic of the log, without its prefix.
        case topic(String)
        /// A table or a view of PostgreSQL, with its schema.
        case table(String)
        case cookie(String)
        /// The memory of a process.
        case memory(String)
        /// The lines that a process writes to its standard error.
        case processLog(String)
        /// Files in the place of the backups.
        case backups(String)

        /// The place as people read it.
        public var text: String {
            switch self {
            case .topic(let name): "topic `\(name)`"
            case .table(let name): "table `\(name)`"
            case .cookie(let name): "cookie `\(name)`"
            case .memory(let name): "memory of \(name)"
            case .processLog(let name): "log lines of \(name)"
            case .backups(let name): "backups: \(name)"
            }
        }
    }

    public var place: Place
    /// The data, and whose it is.
    public var holds: String
    public var purpose: String
    public var until: String
    public var erasure: String

    init(_ place: Place, _ holds: String, for purpose: String, until: String, erased: String) {
        self.place = place
        self.holds = holds
        self.purpose = purpose
        self.until = until
        erasure = erased
    }
}

/// The list of personal data.
public enum PersonalData {
    public static let all: [PersonalDatum] = topics + names + views + others

    private static let hotspots = "without rules of the site also strangers' hotspots"
    private static let strangers = "not by devices: set the site's rules, and withdraw surveys"
    private static let onLog = "PostgreSQL: at once; Kafka: hidden at once, gone by retention"

    private static let topics: [PersonalDatum] = [
        PersonalDatum(
            .topic("scans-inbound"), "scans as their senders wrote them, also of strangers",
            for: "scanners that write to Kafka themselves", until: "3 hours",
            erased: "by retention"),
        PersonalDatum(
            .topic("scans"), "readings and sensors of a device id; strangers as pseudonyms",
            for: "locating, explaining and locating again; access points that changed",
            until: "`WHEREABOUTS_RETENTION_SCANS` (7 days)", erased: onLog),
        PersonalDatum(
            .topic("sightings"), "nodes that heard a device id; strangers as pseudonyms",
            for: "joining them to scans", until: "a day", erased: onLog),
        PersonalDatum(
            .topic("sighting-windows"), "the same of the last five minutes, also in memory",
            for: "joining them without loss", until: "minutes after the last sighting",
            erased: "at once, by tombstones"),
        PersonalDatum(
            .topic("survey-records"), "scans with a place, the device and the author's id",
            for: "the radio map", until: "withdrawn",
            erased: "by tombstones; the log's bytes within two days"),
        PersonalDatum(
            .topic("surveys"), "surveys of earlier releases",
            for: "copying them to `survey-records`, once", until: "you remove the topic",
            erased: "PostgreSQL: at once; Kafka: remove the topic"),
        PersonalDatum(
            .topic("fingerprints"), "access points of each place; \(hotspots)",
            for: "the radio map", until: "the place's next map, or the site is removed",
            erased: strangers),
        PersonalDatum(
            .topic("survey-reviews"), "ids of authors and reviewers", for: "the radio map",
            until: "for ever, as ids", erased: "the name behind the id goes"),
        PersonalDatum(
            .topic("taps"),
            "\"I am here\": scans with a place, and who sent them; visitors as pseudonyms",
            for: "places and access points that changed",
            until: "`WHEREABOUTS_RETENTION_TAPS` (30 days)", erased: onLog),
        PersonalDatum(
            .topic("magnetic-routes"), "walks of surveyors, without any id of theirs",
            for: "the map of the magnetic field", until: "deleted",
            erased: "not by devices: no walk names one"),
        PersonalDatum(
            .topic("outages"), "ids of who reported and ended an outage", for: "routes",
            until: "for ever, as ids", erased: "the name behind the id goes"),
        PersonalDatum(
            .topic("scan-requests"), "ids of who asked a scanner for a scan, and the place",
            for: "the scan switch", until: "a day", erased: "by retention"),
        PersonalDatum(
            .topic("tokens"), "device ids and ids of issuers", for: "access",
            until: "a day after the token's end, or it is revoked",
            erased: "at once, by tombstones"),
        PersonalDatum(
            .topic("positions"), "where a device id was", for: "maps, streams and analysts",
            until: "`WHEREABOUTS_RETENTION_POSITIONS` (30 days)", erased: onLog),
        PersonalDatum(
            .topic("positions-beside"), "the same by positioners beside the served one",
            for: "comparing positioners", until: "a week", erased: onLog),
        PersonalDatum(
            .topic("positions-smoothed"), "the same, smoothed by those shortly before and after",
            for: "analysts", until: "as `positions`, and at most three days longer", erased: onLog),
        PersonalDatum(
            .topic("smoothing-windows"), "positions that wait to be smoothed, also in memory",
            for: "smoothing them without loss",
            until: "minutes after the last position; Kafka: the device id for up to two days",
            erased: "at once, by tombstones, which go after up to two days"),
        PersonalDatum(
            .topic("visits"), "the zones and groups of beacons in which a device id was",
            for: "analysts and streams",
            until: "`WHEREABOUTS_RETENTION_VISITS` (30 days)", erased: onLog),
        PersonalDatum(
            .topic("locator-state"), "a device's last states and hashes of its scans' ids",
            for: "locating without duplicates", until: "a day after its last scan",
            erased: "at once, by tombstones"),
        PersonalDatum(
            .topic("erasures"), "ids of erased devices", for: "leaving them out of replays",
            until: "a day longer than the slowest topic", erased: "by retention"),
        PersonalDatum(
            .topic("timetables"), "names of a booking's people, where its feed keeps them",
            for: "timetables of rooms", until: "a month after the booking's end",
            erased: "not by devices: set the feed's `people` to false"),
        PersonalDatum(
            .topic("dead-letters"), "records that could not be used, without strangers' data",
            for: "repairing them", until: "`WHEREABOUTS_RETENTION_DEAD_LETTERS` (30 days)",
            erased: onLog),
    ]

    private static let names: [PersonalDatum] = [
        PersonalDatum(
            .table("site_editor_names.accounts"), "names, sign-ins and password hashes",
            for: "signing in", until: "the account is ended", erased: "with the account"),
        PersonalDatum(
            .table("site_editor_names.invitations"), "notes about who is invited",
            for: "joining", until: "48 hours, and up to an hour", erased: "by its end"),
        PersonalDatum(
            .table("site_editor_names.tokens"), "notes, device ids and last uses", for: "access",
            until: "erased; the row stays without them", erased: "at once"),
        PersonalDatum(
            .table("site_editor_names.devices"), "names, owners and sealed identity keys",
            for: "knowing an enrolled device", until: "erased", erased: "at once"),
        PersonalDatum(
            .table("site_editor_names.outages"), "who reported and ended an outage, by name",
            for: "asking them", until: "the site is removed", erased: "not by devices"),
        PersonalDatum(
            .table("site_editor_names.erasures"), "ids of erased devices, and who asked",
            for: "showing how far an erasure is",
            until: "as the topic `erasures`, and until a copy lies beside the backups",
            erased: "it is the proof"),
        PersonalDatum(
            .table("site_editor.provider_sign_ins"), "sign-ins under way at a provider",
            for: "signing in", until: "10 minutes, and up to an hour", erased: "by its end"),
        PersonalDatum(
            .table("site_editor.versions"), "ids of who published a version", for: "asking them",
            until: "the site is removed", erased: "the name behind the id goes"),
        PersonalDatum(
            .table("site_editor.removed_sites"), "ids of who removed a site", for: "asking them",
            until: "for ever, as ids", erased: "the name behind the id goes"),
        PersonalDatum(
            .table("site_editor.draft_edits"), "ids of who edited a draft",
            for: "undoing their own edits, asking them",
            until: "10,000 later edits, or the site is removed",
            erased: "the name behind the id goes"),
        PersonalDatum(
            .table("site_editor.day_keys"), "keys of strangers' pseudonyms",
            for: "one name for a device on one day", until: "24 hours after their day",
            erased: "by its end; never in a backup"),
        PersonalDatum(
            .table("site_editor.scan_requests"), "ids of who asked a scanner for a scan",
            for: "the scan switch", until: "a day, and up to an hour; never in a backup",
            erased: "by its end"),
        PersonalDatum(
            .table("site_editor.pairings"), "ids of who is paired with a scanner or a tag",
            for: "asking it for scans, seeing its position",
            until: "a day after its end; never in a backup", erased: "by its end"),
        PersonalDatum(
            .table("site_editor.position_shares"),
            "the last place of who shares it, sealed with the link; hashes of session and link",
            for: "showing it to who has the link",
            until: "stopped, an hour, or the session's end; never in a backup", erased: "at once"),
        PersonalDatum(
            .table("site_editor.enrolment_codes"), "the id of who made a code",
            for: "enrolling scanners", until: "used, or 10 minutes; never in a backup",
            erased: "by its end"),
        PersonalDatum(
            .table("site_editor.barriers"),
            "hashes of who reported a barrier, each for it alone; marks of both addresses",
            for: "telling a second person from the first; limits of an address",
            until: "dismissed or two days old, and up to an hour; never in a backup",
            erased: "by its end"),
        PersonalDatum(
            .table("site_editor.outbox"), "events on their way to the log", for: "the log",
            until: "seconds", erased: "by its end"),
    ]

    private static let views: [PersonalDatum] = [
        PersonalDatum(
            .table("locator.positions"), "where a device id was", for: "questions and analysts",
            until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("locator.position_rows"), "where a device was, by its number",
            for: "`locator.positions`", until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("locator.wide_positions"), "where a device id was, before the upgrade",
            for: "`locator.positions`", until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("locator.position_devices"), "device ids and their numbers",
            for: "`locator.positions`", until: "the device's last day goes", erased: "at once"),
        PersonalDatum(
            .table("locator.room_hour_devices"), "the rooms and hours of a device's number",
            for: "counting each device once", until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("locator.latest_positions"), "where a device id was last", for: "maps",
            until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("locator.erasures"), "ids of erased devices", for: "showing that it is done",
            until: "as the topic `erasures`", erased: "it is the proof"),
        PersonalDatum(
            .table("smoothed.positions"), "where a device id was, smoothed", for: "analysts",
            until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("smoothed.position_rows"), "the same, by the device's number",
            for: "`smoothed.positions`", until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("smoothed.wide_positions"), "the same of numbers that no narrow row holds",
            for: "`smoothed.positions`", until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("smoothed.position_devices"), "device ids and their numbers",
            for: "`smoothed.positions`", until: "the device's last day goes", erased: "at once"),
        PersonalDatum(
            .table("smoothed.erasures"), "ids of erased devices", for: "showing that it is done",
            until: "as the topic `erasures`", erased: "it is the proof"),
        PersonalDatum(
            .table("visits.visits"), "the zones in which a device id was", for: "analysts",
            until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("visits.group_visits"), "the groups of beacons in which a device id was",
            for: "questions and analysts", until: "as the topic", erased: "at once"),
        PersonalDatum(
            .table("visits.erasures"), "ids of erased devices", for: "showing that it is done",
            until: "as the topic `erasures`", erased: "it is the proof"),
        PersonalDatum(
            .table("fingerprint_builder.surveys"), "surveys with device and author ids",
            for: "the radio map", until: "withdrawn", erased: "at once"),
        PersonalDatum(
            .table("fingerprint_builder.taps"), "taps with device and author ids",
            for: "places and access points that changed", until: "as the topic",
            erased: "at once"),
        PersonalDatum(
            .table("fingerprint_builder.erasures"), "ids of erased devices",
            for: "removing their surveys", until: "as the topic `erasures`",
            erased: "it is the proof"),
        PersonalDatum(
            .table("fingerprint_builder.measurements"), "readings of surveys; \(hotspots)",
            for: "the radio map", until: "withdrawn", erased: "with the device's surveys"),
        PersonalDatum(
            .table("fingerprint_builder.access_points"), "access points; \(hotspots)",
            for: "the site's rules", until: "the view is rebuilt", erased: strangers),
        PersonalDatum(
            .table("radio_maps.artifacts"), "ids and readings of surveys; \(hotspots)",
            for: "locating", until: "newer maps replace it, or the site is removed",
            erased: "built anew without the device's surveys; former ones go"),
        PersonalDatum(
            .table("radio_maps.fingerprints"), "access points of each place; \(hotspots)",
            for: "the radio map", until: "the next map, or the site is removed", erased: strangers),
        PersonalDatum(
            .table("fingerprint_builder.decisions"), "ids of reviewers", for: "the radio map",
            until: "for ever, as ids", erased: "the name behind the id goes"),
        PersonalDatum(
            .table("fingerprint_builder.kept_aside"), "ids of surveys and of their authors",
            for: "reviews", until: "decided or withdrawn", erased: "the name behind the id goes"),
        PersonalDatum(
            .table("radio_maps.kept_aside"), "the same, until the log has it", for: "reviews",
            until: "decided or withdrawn", erased: "the name behind the id goes"),
        PersonalDatum(
            .table("radio_maps.positioner_selections"), "ids of who selected a site's positioners",
            for: "asking them", until: "100 later ones, or the site is removed",
            erased: "the name behind the id goes"),
        PersonalDatum(
            .table("radio_maps.outbox"), "events on their way to the log, as reviewers' ids",
            for: "the log", until: "seconds", erased: "by its end"),
        PersonalDatum(
            .table("fingerprint_builder.withdrawn_authors"), "ids of authors",
            for: "the radio map", until: "for ever, as ids",
            erased: "the name behind the id goes"),
        PersonalDatum(
            .table("magnetic_routes.routes"), "walks of surveyors, without any id of theirs",
            for: "the map of the magnetic field", until: "deleted",
            erased: "not by devices: no walk names one"),
        PersonalDatum(
            .table("timetables.feeds"), "sealed addresses, perhaps of a person's calendar",
            for: "fetching timetables", until: "the feed or the site is removed",
            erased: "not by devices: remove the feed"),
        PersonalDatum(
            .table("timetables.bookings"), "names of a booking's people, where its feed keeps them",
            for: "timetables of rooms", until: "a month after the booking's end",
            erased: "not by devices: set the feed's `people` to false"),
        PersonalDatum(
            .table("timetables.outbox"), "events on their way to the log", for: "the log",
            until: "seconds", erased: "by its end"),
    ]

    private static let others: [PersonalDatum] = [
        PersonalDatum(
            .cookie("whereabouts-session"), "the account's id, signed", for: "staying signed in",
            until: "12 hours", erased: "signing out"),
        PersonalDatum(
            .cookie("whereabouts-sign-in"), "a random value for a sign-in under way at a provider",
            for: "signing in", until: "10 minutes", erased: "by its end"),
        PersonalDatum(
            .memory("scan-ingest"), "keys of pseudonyms; private addresses of the last 15 minutes",
            for: "pseudonyms", until: "as the keys", erased: "with the keys"),
        PersonalDatum(
            .memory("fingerprint-builder"), "places and access points of a day's device ids",
            for: "access points that changed", until: "the end of an hourly look",
            erased: "by its end"),
        PersonalDatum(
            .memory("locator"), "the last positions and visits of groups, for streams",
            for: "streams",
            until: "8 MB of newer ones of each", erased: "at once"),
        PersonalDatum(
            .backups("nightly"), "all of the above but sessions and keys; scans until located",
            for: "a lost machine", until: "7 nights", erased: "each restore leaves it out"),
        PersonalDatum(
            .backups("weekly"), "the same without scans, taps, positions, visits and dead letters",
            for: "a lost machine", until: "4 weeks", erased: "each restore leaves it out"),
        PersonalDatum(
            .backups("`erasures`"), "ids of erased devices", for: "leaving them out of restores",
            until: "you remove it, with all backups", erased: "it is the proof"),
        PersonalDatum(
            .processLog("all services"), "ids of callers with their addresses; who read whom",
            for: "finding an intruder", until: "as you keep logs", erased: "by your rotation"),
    ]
}
