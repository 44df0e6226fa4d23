import Devices
import Positioners
import ServiceHost
import ServiceRuntime

struct LocatorSettings: Sendable {
    let positioners: PositionerSettings
    let streams: Int
    let streamsOfToken: Int
    let members: Int
    let batch: Int
    let visits: VisitRules

    init(_ configuration: Configuration) throws {
        positioners = try PositionerSettings(configuration)
        streams = configuration.integer(Self.streams)
        streamsOfToken = configuration.integer(Self.streamsOfToken)
        let isKafka = configuration.text(Host.logKind) == "kafka"
        members = configuration.optionalInteger(Self.members) ?? (isKafka ? 1 : 4)
        batch = configuration.integer(Self.batch)
        visits = VisitRules(configuration)
    }

    static let all =
        PositionerSettings.all + [streams, streamsOfToken, members, batch, smoothing]

    private static let streams = Setting(
        "WHEREABOUTS_STREAMS", .integer(1...100_000), .defaultsTo("10000"),
        help: "the most clients that follow positions, groups or batteries at once")
    private static let streamsOfToken = Setting(
        "WHEREABOUTS_STREAMS_OF_ONE", .integer(1...100_000), .defaultsTo("100"),
        help: "the most of these clients with one token")
    private static let members = Setting(
        "WHEREABOUTS_LOCATOR_MEMBERS", .integer(1...64), .optional,
        help: "members of the locator's group in one process; if empty 4 on postgres, 1 on kafka")
    private static let batch = Setting(
        "WHEREABOUTS_LOCATOR_BATCH", .integer(1...10_000), .defaultsTo("500"),
        help: "the most scans that are located in one transaction")
    static let smoothing = Setting(
        "WHEREABOUTS_SMOOTHING", .choice(["on", "off"]), .defaultsTo("off"),
        help: "whether positions are also smoothed, a little later, for analysts")
}
