import Positioning
public import ServiceRuntime

/// The services' own settings, in one place, so that one environment file serves all processes and
/// a misspelled variable is a fault in every one of them.
public enum ServiceSettings {
    public static let scanIngest: [Setting] = [
        Setting(
            "WHEREABOUTS_RECENT_SCANS", .integer(1_000...10_000_000), .defaultsTo("131072"),
            help: "scan ids that scan-ingest remembers to refuse other content under them")
    ]

    public static let fingerprintBuilder: [Setting] = [
        Setting(
            "WHEREABOUTS_MAP_QUIET", .duration(.milliseconds(100) ... .seconds(3_600)),
            .defaultsTo("2s"),
            help: "a radio map is built when no survey has come for this long"),
        Setting(
            "WHEREABOUTS_MAP_LATEST", .duration(.seconds(1) ... .seconds(86_400)),
            .defaultsTo("60s"), help: "and at the latest after this long"),
    ]

    public static let locator: [Setting] = [
        Setting(
            "WHEREABOUTS_POSITIONER", .checked(positioner),
            .defaultsTo(PositionerRegistry.defaultName),
            help: "the positioner that locates, such as knn or knn:distance=cosine,k=5"),
        Setting(
            "WHEREABOUTS_STREAMS", .integer(1...10_000), .defaultsTo("200"),
            help: "clients that may follow positions at once"),
        Setting(
            "WHEREABOUTS_LOCATOR_MEMBERS", .integer(1...64), .optional,
            help: "members of the locator's group in one process; 4 on postgres, 1 on kafka"),
        Setting(
            "WHEREABOUTS_LOCATOR_BATCH", .integer(1...10_000), .defaultsTo("500"),
            help: "scans located in one transaction at most"),
    ]

    private static let positioner = Setting.TextForm(
        PositionerRegistry.standard.names.joined(separator: "|")
    ) { text in
        do throws(UnknownPositioner) {
            _ = try PositionerRegistry.standard.positioner(text)
            return nil
        } catch {
            return "must name a positioner: \(error)"
        }
    }

    static let all = scanIngest + fingerprintBuilder + locator
}
