import Foundation
import Repository
import TestSupport

/// How the built programs are started. Tests/System/programs.json says it for all system tests, and
/// is the one file of theirs that changes when a program gets another name.
enum Programs {
    /// Where the programs lie.
    static var folder: String { URL(filePath: builtProgram("x")).deletingLastPathComponent().path }

    private static let words: [String: [String]] = {
        let file = repository.appending(path: "Tests/System/programs.json")
        let data = (try? Data(contentsOf: file)) ?? Data()
        return (try? JSONDecoder().decode([String: [String]].self, from: data)) ?? [:]
    }()

    /// The folder of an older build's programs, whose data those under test go on with; nil for none.
    static let before = ProcessInfo.processInfo.environment["WHEREABOUTS_PROGRAMS_BEFORE"]

    /// The beginning of the command that runs a service, `serve` or `whereabouts`.
    ///
    /// - Parameter folder: where older programs lie; they may still have a program for each service.
    static func command(_ name: String, in folder: String? = nil) -> [String] {
        let words = words[name] ?? []
        precondition(!words.isEmpty, "\(name) is not in Tests/System/programs.json")
        guard let folder else { return [builtProgram(words[0])] + words.dropFirst() }
        let own = "\(folder)/\(name)"
        if FileManager.default.isExecutableFile(atPath: own) { return [own] }
        return ["\(folder)/\(words[0])"] + words.dropFirst()
    }
}
