import Positioning
public import ServiceRuntime

/// The positioners of this installation, and the limits of programs among them.
public struct PositionerSettings: Sendable {
    /// The served positioner comes first.
    public let options: [PositionerOption]
    /// The time limit for a program's answer to one scan.
    public let programAnswer: Duration
    public let programsMayUseNetwork: Bool

    /// - Throws: `PositionerOptionFault` where two positioners have one name.
    public init(_ configuration: Configuration) throws(PositionerOptionFault) {
        let served = try PositionerOption(configuration.text(Self.served))
        let beside = try PositionerOption.list(configuration.optionalText(Self.beside) ?? "")
        options = [served] + beside.filter { $0.name != served.name }
        programAnswer = configuration.duration(Self.answer)
        programsMayUseNetwork = configuration.flag(Self.network)
    }

    public static let all = [served, beside, answer, network]

    private static let served = Setting(
        "WHEREABOUTS_POSITIONER", .checked(positioner), .defaultsTo(PositionerRegistry.defaultName),
        help: "the positioner to locate with, such as auto, knn:k=5 or mine=exec:COMMAND")
    private static let beside = Setting(
        "WHEREABOUTS_POSITIONERS_BESIDE", .checked(positioners), .optional,
        help: "additional positioners, separated by ;, for the topics whereabouts.positions.NAME")
    private static let answer = Setting(
        "WHEREABOUTS_PROGRAM_ANSWER", .duration(.milliseconds(10) ... .seconds(2)),
        .defaultsTo("1s"),
        help: "the most time for a program (exec:) to answer; after it the scan is lost")
    /// Commands that run programs read it too.
    public static let network = Setting(
        "WHEREABOUTS_PROGRAM_NETWORK", .flag, .defaultsTo("false"),
        help: "whether programs (exec:) may use the network")

    private static let forms =
        (PositionerRegistry.standard.names + ["beacons", "exec:COMMAND"]).joined(
            separator: "|")

    private static let positioner = Setting.TextForm(forms) { text in
        do throws(PositionerOptionFault) {
            _ = try PositionerOption(text)
            return nil
        } catch {
            return "must name a positioner: \(error)"
        }
    }

    /// The most positioners beside the served one; each of them locates every scan.
    private static let mostBeside = 4

    private static let positioners = Setting.TextForm("\(forms); ...") { text in
        do throws(PositionerOptionFault) {
            let count = try PositionerOption.list(text).count
            return count <= mostBeside ? nil : "must name \(mostBeside) positioners at most"
        } catch {
            return "must name positioners: \(error)"
        }
    }
}
