import Commands
import Foundation
import JSON
import Repository
import Synchronization
import Testing

@Suite struct DocumentedProgramTests {
    private func page() throws -> String {
        return try String(
            contentsOf: repository.appending(path: "docs/positioner-protocol.md"), encoding: .utf8)
    }

    /// The Python program of docs/positioner-protocol.md.
    private func documentedProgram() throws -> String {
        let page = try page()
        let opened = try #require(page.range(of: "```python\n"))
        let closed = try #require(page.range(of: "```", range: opened.upperBound..<page.endIndex))
        return String(page[opened.upperBound..<closed.lowerBound])
    }

    /// The first Python interpreter with scikit-learn and numpy; nil if there is none.
    private func interpreter() throws -> String? {
        try ["python3", "/usr/bin/python3"].first { candidate in
            let python = Process()
            python.executableURL = URL(filePath: "/bin/sh")
            python.arguments = ["-c", "\(candidate) -c 'import sklearn, numpy' 2>/dev/null"]
            try python.run()
            python.waitUntilExit()
            return python.terminationStatus == 0
        }
    }

    @Test("The program of docs/positioner-protocol.md runs unchanged, with small errors")
    func scikitLearn() throws {
        guard let python = try interpreter() else {
            print("skipped: DocumentedProgramTests, because no python3 here has scikit-learn")
            return
        }
        let folder = try CorridorSet()
        defer { folder.remove() }
        let program = folder.url.appending(path: "mine.py")
        try Data(documentedProgram().utf8).write(to: program)
        let notes = Mutex<[String]>([])
        let lines = try folder.measure(
            ["--positioner", "knn", "--positioner", "mine=exec:\(python) \(program.path)"],
            note: { note in notes.withLock { $0.append(note) } })
        #expect(lines.count == 3)
        #expect(notes.withLock { $0 } == [])
        try JSONParser.read(Array(lines[1].utf8)) { root in
            let object = try #require(root.object)
            #expect(object["lost"]?.int == 0)
            #expect(try #require(object["mean"]?.double) < 0.5)
            #expect(object["floorHit"]?.double == 1)
            #expect(object["within95"]?.double != nil)
        }
    }

    @Test("A data set without walks and kinds of transmitters gives the defaults that docs state")
    func untold() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let file = folder.url.appending(path: "map.json")
        _ = try folder.measure(["--positioner", "mine=exec:head -n 1 > \(file.path)"])
        let map = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
        let fingerprints = try #require(
            (map as? [String: Any])?["fingerprints"] as? [[String: Any]])
        #expect(fingerprints.count == 40)
        #expect(fingerprints.allSatisfy { $0["walk"] as? Int == 0 })
        let received = fingerprints.flatMap { ($0["readings"] as? [String: Any] ?? [:]).keys }
        #expect(!received.isEmpty && received.allSatisfy { $0.hasPrefix("wifi/") })
        let page = try page()
        #expect(page.contains("has one walk, 0, for all: then leave out by `place`"))
        #expect(page.contains("don't say what a column is: all are `wifi/`"))
    }

    @Test("A program that never answers leaves all scans lost; the command reports it and succeeds")
    func lost() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let notes = Mutex<[String]>([])
        let lines = try folder.measure(
            ["--positioner", "leaver=exec:exit 3"],
            note: { note in notes.withLock { $0.append(note) } })
        let printed = notes.withLock { $0 }
        #expect(printed.first?.contains("ended with status 3") == true)
        #expect(printed.last?.contains("did not answer 3 of 3 scans") == true)
        try JSONParser.read(Array(lines[0].utf8)) { root in
            let object = try #require(root.object)
            #expect(object["positioner"]?.string == "leaver")
            #expect(object["lost"]?.int == 3)
            #expect(object["floorHit"]?.double == 0)
        }
    }
}
