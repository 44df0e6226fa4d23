import Cryptography
public import Positioning
import Site

/// A positioner as a setting or an option of a command names it: `knn`, `knn:distance=cosine,k=5`,
/// `beacons:file=PATH` or `exec:COMMAND`, with a name of its own before it where one is wanted:
/// `mine=exec:python3 mine.py`.
///
/// The name stands in positions and in the name of a topic, so it is short: lower case, digits,
/// dots and hyphens. A program without one is called `exec-` and eight digits of its command's
/// SHA-256.
public struct PositionerOption: Hashable, Sendable {
    /// Of a name; with the topic's prefix it fits into what PostgreSQL takes for one.
    static let longestName = 40

    /// The whole option, which tells it from every other.
    public let text: String
    private let ownName: String?
    private let choice: String
    /// Nil for a program.
    private let known: (any Positioner)?

    /// - Throws: `PositionerOptionFault` where nobody knows such a positioner.
    public init(_ text: String) throws(PositionerOptionFault) {
        self.text = text
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // A colon before the first `=` says that the `=` belongs to a parameter or a command.
        if parts.count == 2, !parts[0].contains(":") {
            guard Self.isName(parts[0]) else {
                throw PositionerOptionFault(
                    "\(parts[0]) is no name: a-z, 0-9, dots and hyphens, at most "
                        + "\(Self.longestName)")
            }
            ownName = String(parts[0])
            choice = String(parts[1])
        } else {
            ownName = nil
            choice = text
        }
        guard !choice.hasPrefix(ProgramPositioner.prefix) else {
            if choice == ProgramPositioner.prefix {
                throw PositionerOptionFault("exec: is followed by a command")
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

    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }

    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Several with semicolons between them; of a command, what holds one belongs into a file.
    public static func list(_ text: String) throws(PositionerOptionFault) -> [PositionerOption] {
        var options: [PositionerOption] = []
        for part in text.split(separator: ";") {
            var option = part.drop { $0 == " " }
            while option.last == " " { option.removeLast() }
            guard !option.isEmpty else { continue }
            options.append(try PositionerOption(String(option)))
        }
        let names = options.map(\.name)
        if let twice = names.first(where: { name in names.count { $0 == name } > 1 }) {
            throw PositionerOptionFault("two positioners are called \(twice)")
        }
        return options
    }

    /// Whether it is a program of its own, which may block.
    public var isProgram: Bool { choice.hasPrefix(ProgramPositioner.prefix) }

    /// As in positions and in the name of a topic.
    public var name: String {
        if let ownName { return ownName }
        if isProgram { return "exec-" + sha256Hex(choice).prefix(8) }
        return known?.name ?? choice
    }

    /// - Parameters:
    ///   - note: is told in words what goes wrong with a program.
    ///   - onHealth: is told why a program does not work, and nil when it does again.
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

    /// Scans that a program, under whatever name, was asked for and did not answer.
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

/// What is wrong with an option, in words for people.
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
