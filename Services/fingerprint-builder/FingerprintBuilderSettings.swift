import ServiceRuntime

struct FingerprintBuilderSettings: Sendable {
    let mapQuiet: Duration
    let mapLatest: Duration
    let qualityQuiet: Duration
    let nodeInterval: Duration

    init(_ configuration: Configuration) {
        mapQuiet = configuration.duration(Self.mapQuiet)
        mapLatest = configuration.duration(Self.mapLatest)
        qualityQuiet = configuration.duration(Self.qualityQuiet)
        nodeInterval = configuration.duration(Self.nodeInterval)
    }

    static let all = [mapQuiet, mapLatest, qualityQuiet, nodeInterval]

    private static let mapQuiet = Setting(
        "WHEREABOUTS_MAP_QUIET", .duration(.milliseconds(100) ... .seconds(3_600)),
        .defaultsTo("2s"), help: "a radio map is built after this time without a new survey")
    private static let mapLatest = Setting(
        "WHEREABOUTS_MAP_LATEST", .duration(.seconds(1) ... .seconds(86_400)),
        .defaultsTo("60s"),
        help: "the most time until a radio map is built while surveys keep coming")
    private static let qualityQuiet = Setting(
        "WHEREABOUTS_QUALITY_QUIET", .duration(.seconds(1) ... .seconds(86_400)),
        .defaultsTo("60s"),
        help: "the age at which a radio map is evaluated and its positioner chosen; "
            + "costs a minute of one core")
    private static let nodeInterval = Setting(
        "WHEREABOUTS_NODE_INTERVAL", .duration(.milliseconds(100) ... .seconds(86_400)),
        .defaultsTo("10m"), help: "how often nodes are calibrated")
}
