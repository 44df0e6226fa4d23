import Commands
import Foundation
import ServiceHost
import Testing

@Suite("Quoted commands") struct QuotedCommandsTests {
    /// A way to call a command, as the first lines of its help show it.
    private struct Usage {
        /// The fixed words behind the command's name, each with its alternatives.
        var words: [Set<String>]

        init(_ line: String) {
            words = line.split(separator: " ").dropFirst(2)
                .prefix { $0.wholeMatch(of: /[a-z][a-z|-]*/) != nil }
                .map { Set($0.split(separator: "|").map(String.init)) }
        }

        /// Whether the call says all fixed words; with `isName`, as far as it goes.
        func fits(_ call: [String], isName: Bool) -> Bool {
            guard isName || call.count >= words.count else { return false }
            return zip(words, call).allSatisfy { $0.contains($1) }
        }
    }

    /// The fault of a quoted command; nil if it parses.
    ///
    /// - Parameters:
    ///   - call: the words behind `whereabouts`.
    ///   - isName: whether the name of a group of commands is good enough, as in running text.
    static func fault(of call: [String], isName: Bool) -> String? {
        guard let name = call.first, !name.hasPrefix("-"), name != "COMMAND" else { return nil }
        guard let command = Command.all.first(where: { $0.name == name }) else {
            return "there is no command \(name)"
        }
        // Its help is that of the services.
        guard name != "serve" else { return nil }
        let usages = command.help.split(separator: "\n\n")[0].split(separator: "\n")
            .filter { $0.hasPrefix("whereabouts") }.map { Usage(String($0)) }
        let words = call.dropFirst().prefix { !$0.hasPrefix("-") }
        guard
            usages.isEmpty
                || usages.contains(where: { $0.fits(Array(words), isName: isName) })
        else { return "\(name) can't be called so" }
        let options = call.dropFirst().filter { $0.hasPrefix("--") && $0 != "--help" }
            .map { String($0.prefix { $0 != "=" }) }
        let unknown = options.filter { !command.help.contains($0) }
        return unknown.isEmpty ? nil : "\(name) has no \(unknown.joined(separator: ", "))"
    }

    private static func words(_ text: Substring) -> [String] {
        text.prefix { !"|;&)#`>\"\\".contains($0) }.split { $0 == " " || $0 == "." || $0 == "," }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "[]'")) }
    }

    /// Calls in inline code, which begin with the program's name.
    static func inline(_ text: String) -> [[String]] {
        text.matches(of: /`whereabouts(?:-admin)?(?: --owner)? ([^`]+)`/).map { Self.words($0.1) }
    }

    /// Calls in code blocks: what follows the name of the program where a command may stand.
    static func inBlocks(_ text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("    ") && !$0.contains("`") }
            .flatMap { line in
                line.matches(
                    of: /\bwhereabouts(?:-admin)?(?: --owner)? ((?!whereabouts)[a-z][a-z-]+\b.*)/
                ).map(\.1)
            }.map(Self.words).filter { call in
                Command.all.contains { $0.name == call.first }
            }
    }

    @Test("Each command that an alarm or the doctor advises can be called so")
    func advice() throws {
        var found = 0
        for rule in AlarmRule.all {
            for call in Self.inline(rule.advice) + Self.inline(rule.meaning) {
                found += 1
                let fault = Self.fault(of: call, isName: false)
                #expect(fault == nil, "\(rule.name): \(call): \(fault ?? "")")
            }
        }
        let sources =
            DocumentationTests.files(under: "Services", endingWith: ".swift")
            + DocumentationTests.files(under: "Shared", endingWith: ".swift")
        for file in sources {
            let lines = try DeployTests.text(file).split(separator: "\n")
                .filter { !$0.contains("//") && $0.contains("`whereabouts ") }
            // The page about settings and the list of personal data name commands.
            let isName = file.hasSuffix("PersonalData.swift") || file.contains("Settings")
            for call in Self.inline(lines.joined(separator: "\n")) where call != ["doctor"] {
                found += 1
                let fault = Self.fault(of: call, isName: isName)
                #expect(fault == nil, "\(file): \(call): \(fault ?? "")")
            }
        }
        #expect(found > 15)
    }

    @Test("Each command of a page has the words and options of its help")
    func pages() throws {
        var found = 0
        for page in DocumentationTests.files(under: "", endingWith: ".md")
        where !page.hasPrefix("docs/decisions") && page != "CHANGELOG.md" {
            let text = try DeployTests.text(page)
            for (call, isName) in Self.inline(text).map({ ($0, true) })
                + Self.inBlocks(text).map({ ($0, false) })
            {
                found += 1
                let fault = Self.fault(of: call, isName: isName)
                #expect(fault == nil, "\(page): \(call): \(fault ?? "")")
            }
        }
        #expect(found > 100)
    }

    @Test("The rule notices planted mistakes")
    func canary() {
        #expect(Self.fault(of: ["backup"], isName: false) != nil)
        #expect(Self.fault(of: ["backup"], isName: true) == nil)
        #expect(Self.fault(of: ["backup", "nightly"], isName: false) == nil)
        #expect(Self.fault(of: ["backup", "makes"], isName: true) != nil)
        #expect(Self.fault(of: ["backup", "make", "--fast"], isName: true) != nil)
        #expect(Self.fault(of: ["fly"], isName: true) != nil)
        #expect(Self.inline("run `whereabouts skip x --apply`.") == [["skip", "x", "--apply"]])
        let block = "\n    sudo whereabouts whereabouts backup list | head\n"
        #expect(Self.inBlocks(block) == [["backup", "list"]])
        let owner = "    whereabouts-admin --owner backup restore NAME\n"
        #expect(Self.inBlocks(owner) == [["backup", "restore", "NAME"]])
    }
}
