public import Positioning
public import RadioMapCare
public import ServiceRuntime

/// The positioners that the operator of this installation allows, and the limits of programs among
/// them.
public struct PositionerSettings: Sendable {
    /// The default comes first.
    public let options: [PositionerOption]
    /// The time limit for a program's answer to one scan.
    public let programAnswer: Duration
    public let programsMayUseNetwork: Bool

    /// - Throws: `PositionerOptionFault` where an option can't be used.
    public init(_ configuration: Configuration) throws(PositionerOptionFault) {
        options = try Self.options(
            configuration.text(Self.standard), allowed: Self.selectable(in: configuration))
        programAnswer = configuration.duration(Self.answer)
        programsMayUseNetwork = configuration.flag(Self.network)
    }

    private static func options(
        _ standard: String, allowed: String
    ) throws(PositionerOptionFault) -> [PositionerOption] {
        let standard = try PositionerOption(standard)
        let others = try PositionerOption.list(allowed).filter { $0 != standard }
        try PositionerOption.checkNames([standard.name] + others.map(\.name))
        return [standard] + others
    }

    /// The options that sites may select; all that come with the program where none are set.
    private static func selectable(in configuration: Configuration) -> String {
        configuration.optionalText(allowed) ?? builtIn(besides: configuration.text(standard))
    }

    /// All that come with the program, without the one whose name the default already has. So
    /// `beacons:file=PATH`, which is called `beacons` too, can be the default.
    private static func builtIn(besides standard: String) -> String {
        let own = try? PositionerOption.name(of: standard)
        return builtInNames.filter { $0 != own }.joined(separator: "; ")
    }

    /// The names of the allowed positioners. Reads no file.
    ///
    /// - Throws: `PositionerOptionFault` where two positioners have one name.
    public static func names(
        _ configuration: Configuration
    ) throws(PositionerOptionFault) -> AllowedPositioners {
        let standard = configuration.text(Self.standard)
        let others = try allowedNames(selectable(in: configuration), but: standard)
        let name = try PositionerOption.name(of: standard)
        try PositionerOption.checkNames([name] + others)
        return AllowedPositioners(standard: name, others: others)
    }

    /// The allowed positioners, the default first, as far as a process can try them that runs no
    /// programs. Reads their documents.
    ///
    /// - Throws: `PositionerOptionFault` where a name can't be used.
    public static func candidates(
        _ configuration: Configuration
    ) throws(PositionerOptionFault) -> CandidateStock {
        let standard = configuration.text(Self.standard)
        let others = PositionerOption.texts(selectable(in: configuration))
            .filter { $0 != standard }
        var candidates: [CandidatePositioner] = []
        for text in [standard] + others { candidates.append(try PositionerOption.candidate(text)) }
        return CandidateStock(candidates)
    }

    private static func allowedNames(
        _ text: String, but standard: String? = nil
    ) throws(PositionerOptionFault) -> [String] {
        var names: [String] = []
        for text in PositionerOption.texts(text) where text != standard {
            guard !text.hasPrefix(ProgramPositioner.prefix) else {
                throw PositionerOptionFault("\(text) needs a name: write NAME=\(text)")
            }
            names.append(try PositionerOption.name(of: text))
        }
        try PositionerOption.checkNames(names)
        return names
    }

    /// The faults of options that are each well-formed, such as a document that can't be read.
    public static func faults(in environment: [String: String]) -> [ConfigurationFault] {
        func value(_ setting: Setting, or standard: String) -> String {
            let given = environment[setting.name] ?? ""
            return given.isEmpty ? standard : given
        }
        let option = value(standard, or: PositionerRegistry.defaultName)
        let others = value(allowed, or: builtIn(besides: option))
        // The form of each setting has told what is wrong already.
        guard (try? PositionerOption.name(of: option)) != nil,
            (try? allowedNames(others)) != nil
        else { return [] }
        do throws(PositionerOptionFault) {
            _ = try options(option, allowed: others)
            return []
        } catch {
            return [
                ConfigurationFault(
                    name: standard.name, problem: "or \(allowed.name) can't be used: \(error)")
            ]
        }
    }

    /// The settings of the process that runs the positioners.
    public static let all = [answer, network]
    /// The settings of all that need to know which positioners there are.
    public static let choices = [standard, allowed]

    private static let builtInNames =
        (PositionerRegistry.standard.names + [BeaconsOption.name]).sorted()

    private static let standard = Setting(
        "WHEREABOUTS_POSITIONER", .checked(positioner), .defaultsTo(PositionerRegistry.defaultName),
        help: "the positioner of sites that select none, such as knn:k=5 or mine=exec:COMMAND")
    private static let allowed = Setting(
        "WHEREABOUTS_POSITIONERS", .checked(positioners), .optional,
        help: "those that sites may select, separated by semicolons; if empty, all built-in ones")
    private static let answer = Setting(
        "WHEREABOUTS_PROGRAM_ANSWER", .duration(.milliseconds(10) ... .seconds(2)),
        .defaultsTo("1s"),
        help: "the most time for a program (exec:) to answer; after it the scan is lost")
    /// Commands that run programs read it too.
    public static let network = Setting(
        "WHEREABOUTS_PROGRAM_NETWORK", .flag, .defaultsTo("false"),
        help: "whether programs (exec:) may use the network")

    private static let forms =
        (PositionerRegistry.standard.names + [BeaconsOption.name, "exec:COMMAND"]).joined(
            separator: "|")

    private static let positioner = Setting.TextForm(forms) { text in
        do throws(PositionerOptionFault) {
            _ = try PositionerOption.name(of: text)
            return nil
        } catch {
            return "must name a positioner: \(error)"
        }
    }

    /// The most positioners that sites may select from.
    private static let mostAllowed = 32

    private static let positioners = Setting.TextForm("\(forms); ...") { text in
        do throws(PositionerOptionFault) {
            let count = try allowedNames(text).count
            return count <= mostAllowed ? nil : "must name \(mostAllowed) positioners at most"
        } catch {
            return "must name positioners: \(error)"
        }
    }
}
