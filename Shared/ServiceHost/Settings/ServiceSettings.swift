import Positioners
import Positioning
public import ServiceRuntime

/// The services' own settings, in one place, so that one environment file serves all processes and
/// a misspelled variable is a fault in every one of them.
public enum ServiceSettings {
    public static let scanIngest: [Setting] = [
        Setting(
            "WHEREABOUTS_RECENT_SCANS", .integer(1_000...10_000_000), .defaultsTo("131072"),
            help: "scan ids that scan-ingest remembers to refuse other content under them"),
        Setting(
            "WHEREABOUTS_INBOUND", .choice(["signed", "acl"]), .defaultsTo("signed"),
            help: "how writers of scans-inbound prove who they are; acl: the brokers tell"),
    ]

    public static let siteEditor: [Setting] = [
        Setting(
            "WHEREABOUTS_EMBEDDING", .checked(OriginList.form), .optional,
            help: "origins whose pages may show ours in a frame; * for all")
    ]

    public static let fingerprintBuilder: [Setting] = [
        Setting(
            "WHEREABOUTS_MAP_QUIET", .duration(.milliseconds(100) ... .seconds(3_600)),
            .defaultsTo("2s"),
            help: "a radio map is built when no survey has come for this long"),
        Setting(
            "WHEREABOUTS_MAP_LATEST", .duration(.seconds(1) ... .seconds(86_400)),
            .defaultsTo("60s"), help: "and at the latest after this long"),
        Setting(
            "WHEREABOUTS_QUALITY_QUIET", .duration(.seconds(1) ... .seconds(86_400)),
            .defaultsTo("60s"),
            help:
                "a radio map chooses its positioner and is judged when it is this old; a minute of one core"
        ),
    ]

    public static let locator: [Setting] =
        [
            Setting(
                "WHEREABOUTS_POSITIONER", .checked(positioner),
                .defaultsTo(PositionerRegistry.defaultName),
                help: "the positioner that locates, such as auto, knn:k=5 or mine=exec:COMMAND"),
            Setting(
                "WHEREABOUTS_POSITIONERS_BESIDE", .checked(positioners), .optional,
                help: "others, with ; between, whose positions go to whereabouts.positions.NAME"),
            Setting(
                "WHEREABOUTS_PROGRAM_ANSWER", .duration(.milliseconds(10) ... .seconds(2)),
                .defaultsTo("1s"),
                help: "within this a program (exec:) answers a scan, or it is lost"),
            programNetwork,
            Setting(
                "WHEREABOUTS_STREAMS", .integer(1...100_000), .defaultsTo("10000"),
                help: "clients that may follow positions at once"),
            Setting(
                "WHEREABOUTS_STREAMS_OF_ONE", .integer(1...100_000), .defaultsTo("100"),
                help: "of them those with one token"),
            Setting(
                "WHEREABOUTS_LOCATOR_MEMBERS", .integer(1...64), .optional,
                help: "members of the locator's group in one process; 4 on postgres, 1 on kafka"),
            Setting(
                "WHEREABOUTS_LOCATOR_BATCH", .integer(1...10_000), .defaultsTo("500"),
                help: "scans located in one transaction at most"),
        ] + visits

    /// Also read by the commands that run programs.
    public static let programNetwork = Setting(
        "WHEREABOUTS_PROGRAM_NETWORK", .flag, .defaultsTo("false"),
        help: "whether programs (exec:) may use the network")

    private static let visits: [Setting] = [
        Setting(
            "WHEREABOUTS_VISIT_ENTER", .checked(number(0.501...1)), .defaultsTo("0.6"),
            help: "from this probability of a zone on a device may have entered it"),
        Setting(
            "WHEREABOUTS_VISIT_LEAVE", .checked(number(0...0.5)), .defaultsTo("0.3"),
            help: "below this probability of a zone a device may have left it"),
        Setting(
            "WHEREABOUTS_VISIT_DWELL", .duration(.zero ... .seconds(3_600)), .defaultsTo("10s"),
            help: "a shorter stay is no visit"),
        Setting(
            "WHEREABOUTS_VISIT_TOLERANCE_METRES", .checked(number(0...100)), .defaultsTo("1"),
            help: "metres beyond a zone's outline that do not count as outside"),
        Setting(
            "WHEREABOUTS_VISIT_TOLERANCE", .duration(.zero ... .seconds(3_600)),
            .defaultsTo("30s"), help: "for no longer than this since the last scan inside"),
        Setting(
            "WHEREABOUTS_VISIT_EXIT_DELAY", .duration(.zero ... .seconds(3_600)),
            .defaultsTo("10s"), help: "how long a device must be outside until its visit ends"),
        Setting(
            "WHEREABOUTS_VISIT_SILENCE", .duration(.seconds(1) ... .seconds(86_400)),
            .defaultsTo("10m"), help: "a device not located for longer has ended its visits"),
    ]

    private static func number(_ range: ClosedRange<Double>) -> Setting.TextForm {
        let form = "a number between \(range.lowerBound) and \(range.upperBound)"
        return Setting.TextForm(form) { text in
            Double(text).map { range.contains($0) } == true ? nil : "must be \(form)"
        }
    }

    private static let forms =
        (PositionerRegistry.standard.names + ["beacons:file=PATH", "exec:COMMAND"]).joined(
            separator: "|")

    private static let positioner = Setting.TextForm(forms) { text in
        do throws(PositionerOptionFault) {
            _ = try PositionerOption(text)
            return nil
        } catch {
            return "must name a positioner: \(error)"
        }
    }

    /// Each of them is asked for every scan.
    private static let mostBeside = 4

    private static let positioners = Setting.TextForm("\(forms); ...") { text in
        do throws(PositionerOptionFault) {
            let count = try PositionerOption.list(text).count
            return count <= mostBeside ? nil : "must name \(mostBeside) positioners at most"
        } catch {
            return "must name positioners: \(error)"
        }
    }

    static let all = scanIngest + siteEditor + fingerprintBuilder + locator
}
