import Beacons
import Cryptography
public import Positioning
import RadioMapCare
import Site

/// A positioner as a setting or a command's option names it: `knn`, `knn:distance=cosine,k=5`,
/// `beacons` or `exec:COMMAND`.
///
/// A name of its own may stand before it: `mine=exec:python3 mine.py`. Sites select it by the
/// name, and positions have it. So it is short: lower case, digits, dots and hyphens. A program
/// without one is called `exec-` and eight digits of its command's SHA-256.
public struct PositionerOption: Hashable, Sendable {
    /// Characters of a name of its own.
    static let longestName = 40

    /// The complete option text. Two options with equal text are the same positioner.
    public let text: String
    private let ownName: String?
    private let choice: String
    /// The built-in positioner; nil for a program.
    private let known: (any Positioner)?

    /// - Throws: `PositionerOptionFault` where there is no such positioner.
    public init(_ text: String) throws(PositionerOptionFault) {
        self.text = text
        (ownName, choice) = try Self.parts(of: text)
        guard !choice.hasPrefix(ProgramPositioner.prefix) else {
            if choice == ProgramPositioner.prefix {
                throw PositionerOptionFault("exec: needs a command after it")
            }
            known = nil
            return
        }
        if let beacons = try BeaconsOption.positioner(choice) {
            known = beacons
            return
        }
        do throws(UnknownPositioner) {
            known = try PositionerRegistry.standard.positioner(choice)
        } catch {
            throw PositionerOptionFault(error.description)
        }
    }

    /// The name of its own before the option, if it has one, and the rest.
    private static func parts(
        of text: String
    ) throws(PositionerOptionFault) -> (ownName: String?, choice: String) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // The text before the first `=` is a name of its own only without a colon. Otherwise the
        // `=` belongs to a parameter or a command.
        guard parts.count == 2, !parts[0].contains(":") else { return (nil, text) }
        guard isName(parts[0]) else {
            throw PositionerOptionFault(
                "\(parts[0]) can't be a name: use a-z, 0-9, dots and hyphens, at most "
                    + "\(longestName)")
        }
        return (String(parts[0]), String(parts[1]))
    }

    /// The option's name, for processes that run no positioner. A document of beacons is not there,
    /// so an option without a name of its own may be called only `beacons`.
    static func name(of text: String) throws(PositionerOptionFault) -> String {
        let (ownName, choice) = try parts(of: text)
        guard choice.hasPrefix(BeaconsOption.prefix) else {
            return try PositionerOption(text).name
        }
        return ownName ?? (try? PositionerOption(text).name) ?? BeaconsOption.name
    }

    /// The option's positioner, as far as a process can try it that runs no programs.
    static func candidate(_ text: String) throws(PositionerOptionFault) -> CandidatePositioner {
        let name = try name(of: text)
        guard let option = try? PositionerOption(text) else {
            return CandidatePositioner(name, obstacle: .document)
        }
        guard !option.isProgram else { return CandidatePositioner(name, obstacle: .program) }
        let beacons = option.known as? BeaconsPositioner
        // A file may have other contents after the next start.
        let document = beacons?.documentHash.map { " document \($0)" } ?? ""
        return CandidatePositioner(
            option.positioner(settings: .measuring(), note: { _ in }), name: name,
            basis: text + document, needsSentReadings: beacons != nil)
    }

    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Parses several options with semicolons between them. A command that contains a semicolon
    /// belongs into a script file.
    public static func list(_ text: String) throws(PositionerOptionFault) -> [PositionerOption] {
        var options: [PositionerOption] = []
        for part in texts(text) { options.append(try PositionerOption(part)) }
        try checkNames(options.map(\.name))
        return options
    }

    /// The texts of several options.
    static func texts(_ text: String) -> [String] {
        text.split(separator: ";").compactMap { part in
            var option = part.drop { $0 == " " }
            while option.last == " " { option.removeLast() }
            return option.isEmpty ? nil : String(option)
        }
    }

    static func checkNames(_ names: [String]) throws(PositionerOptionFault) {
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw PositionerOptionFault("two positioners are called \(twice)")
        }
    }

    /// True for a program of its own, which may block.
    public var isProgram: Bool { choice.hasPrefix(ProgramPositioner.prefix) }

    /// The name in positions, and for those who select it.
    public var name: String {
        if let ownName { return ownName }
        if isProgram { return "exec-" + sha256Hex(choice).prefix(8) }
        return known?.name ?? choice
    }

    /// - Parameters:
    ///   - note: is called with a text for the operator when a program fails.
    ///   - onHealth: is called with the reason when a program stops working, and with nil when it
    ///     works again.
    public func positioner(
        settings: ProgramPositioner.Settings, note: @escaping @Sendable (String) -> Void,
        onHealth: @escaping @Sendable (String?) -> Void = { _ in }
    ) -> any Positioner {
        if let program = ProgramPositioner(
            choice, settings: settings, note: note, onHealth: onHealth)
        {
            return NamedPositioner(name: name, base: program)
        }
        guard let known else { preconditionFailure("init has refused what is neither") }
        return ownName == nil ? known : NamedPositioner(name: name, base: known)
    }

    /// Scans that a program, under whatever name, was asked to locate and did not answer.
    public static func unansweredScans(of positioner: any Positioner) -> Int {
        let base = (positioner as? NamedPositioner)?.base ?? positioner
        return (base as? ProgramPositioner)?.unansweredScans ?? 0
    }

    private static func isName(_ text: some StringProtocol) -> Bool {
        (1...longestName).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// A description of the fault in an option, for people.
public struct PositionerOptionFault: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    init(_ description: String) { self.description = description }
}

/// A positioner under another name.
private struct NamedPositioner: Positioner {
    let name: String
    let base: any Positioner

    func prepare(_ map: RadioMap, site: SiteIndex) -> any PreparedPositioner {
        base.prepare(map, site: site)
    }

    var followsChoice: Bool { base.followsChoice }

    var worksWithoutMap: Bool { base.worksWithoutMap }

    var usesEvidence: Bool { base.usesEvidence }

    func following(_ choice: String?) -> any Positioner {
        NamedPositioner(name: name, base: base.following(choice))
    }
}
