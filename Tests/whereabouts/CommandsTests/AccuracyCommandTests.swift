import Accuracy
import Archive
import Datasets
import Events
import Foundation
import JSON
import Positioning
import Repository
import Synchronization
import Testing
import Wire

@testable import Commands

@Suite struct AccuracyCommandTests {
    @Test("One line has every figure, with null for figures that the data set does not allow")
    func line() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let lines = try folder.measure(["--positioner", "knn"])
        #expect(lines.count == 1)
        try JSONParser.read(Array(lines[0].utf8)) { root in
            let object = try #require(root.object)
            #expect(object["dataset"]?.string == "surimi")
            #expect(object["positioner"]?.string == "knn")
            #expect(object["queries"]?.int == 3)
            #expect(try #require(object["mean"]?.double) < 0.5)
            #expect(object["floorHit"]?.double == 1)
            #expect(object["roomHit"]?.isNull == true)
            #expect(object["medianOfPaths"]?.isNull == true)
            for name: StaticString in ["median", "p75", "p95", "meanGround", "buildingHit"] {
                #expect(object[name]?.double != nil)
            }
            for name: StaticString in [
                "within68", "within95", "intervalScore", "constantIntervalScore",
                "located", "locatedWrongly", "honest",
            ] {
                #expect(object[name]?.double != nil)
            }
            // The map has as many trials as a constant needs, and a lost one would be missing.
            #expect(object["learnedConstantIntervalScore"] != nil)
            #expect(object["heldOut"]?.isNull == true && object["map"]?.isNull == true)
            #expect(object["microsecondsPerQuery"]?.double != nil)
        }
    }

    @Test("Places are held out of the training part, and the line has the figures of each part")
    func heldOut() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let lines = try folder.measure([
            "--positioner", "knn", "--hold-out", "places", "--share", "0.5", "--map", "one-survey",
        ])
        try JSONParser.read(Array(lines[0].utf8)) { root in
            let object = try #require(root.object)
            #expect(object["heldOut"]?.string == "places")
            #expect(object["map"]?.string == "one-survey")
            #expect(object["queries"]?.int == 20)
            let parts = try #require(object["parts"]?.array)
            #expect(parts.count == 1)
            for element in parts {
                let part = try #require(element.object)
                #expect(part["name"]?.string == "training")
                #expect(part["leftOut"]?.array?.count == 0)
                #expect(part["surveys"]?.int == 20 && part["queries"]?.int == 20)
                #expect(part["mean"]?.double == object["mean"]?.double)
                #expect(part["honest"]?.double == object["honest"]?.double)
            }
        }
    }

    @Test("Parts that are written are read as a data set of the same scans and maps")
    func written() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let parts = folder.url.appending(path: "parts")
        let options = ["--positioner", "knn"]
        let lines = try folder.measure(
            options + ["--hold-out", "places", "--write", parts.path()])
        let name = try String(contentsOf: parts.appending(path: "1/part.txt"), encoding: .utf8)
        #expect(name == "training\n")
        let reader = ArchiveReader(path: parts.appending(path: "1").path())
        let dataset = try DatasetKind.jsonLines.read(reader)
        #expect(dataset.surveys.count == 30 && dataset.tests.count == 10)
        let summary = try AccuracyRun(dataset, seed: 1).run(NearestNeighbours()).summary
        try JSONParser.read(Array(lines[0].utf8)) { root in
            let mean = try #require(root.object?["mean"]?.double)
            #expect(abs(try #require(summary.mean) - mean) < 0.001)
        }
        // A second run would leave parts of the first beside its own.
        #expect(throws: CommandFault.self) {
            try folder.measure(options + ["--write", parts.path()])
        }
    }

    @Test("The example of a recording in docs/accuracy.md is measured, also as tracks")
    func documentedRecording() throws {
        let page = try String(
            contentsOf: repository.appending(path: "docs/accuracy.md"), encoding: .utf8)
        let section = try #require(
            page.components(separatedBy: "\n## ").first {
                $0.hasPrefix("Your own recording")
            })
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "recording-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let blocks = section.components(separatedBy: "```")
        let names = ["site.json", "surveys.jsonl", "scans.jsonl"]
        #expect(blocks.count == 2 * names.count + 1)
        for (index, name) in names.enumerated() {
            #expect(blocks[2 * index].contains("`\(name)`"))
            let text = try #require(blocks[2 * index + 1].split(separator: "\n", maxSplits: 1).last)
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        for options in [[], ["--tracks"]] {
            var lines: [String] = []
            try runAccuracy(
                arguments: ["jsonl", folder.path(), "--positioner", "knn"] + options,
                output: { lines.append($0) }, note: { _ in })
            try JSONParser.read(Array(lines[0].utf8)) { root in
                let object = try #require(root.object)
                #expect(object["queries"]?.int == 2 && object["lost"]?.int == 0)
                #expect(object["floorHit"]?.double == 1 && object["roomHit"]?.double == 1)
            }
        }
    }

    @Test(
        "What the set does not have, or nobody knows, is refused in one line",
        arguments: [
            (["--hold-out", "phones"], "names no two phones"),
            (["--hold-out", "buildings"], "has no two buildings"),
            (["--hold-out", "floors"], "has no two floors"),
            (["--map", "copied"], "hold places out"),
            (["--map", "one-phone"], "names no two phones"),
            (["--map", "dense"], "needs the simulator"),
            (["--map", "thin"], "known are one-survey, one-session, copied, one-phone, dense"),
            (["--hold-out", "floors", "--hold-out", "places"], "--hold-out is given twice"),
            (["--hold-out", "people"], "known are phones, buildings, floors, places"),
            (["--hold-out", "floors", "--share", "0.2"], "--share needs --hold-out phones"),
            (["--hold-out", "places", "--share", "0.9"], "--share needs a number between"),
        ])
    func refused(arguments: [String], reason: String) throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        do {
            _ = try folder.measure(arguments + ["--positioner", "knn"])
            Issue.record("was not refused")
        } catch {
            #expect("\(error)".contains(reason) && !"\(error)".contains("\n"), "\(error)")
        }
    }

    @Test("The simulator's dense set has a survey each half metre, and walkers where it was made")
    func dense() {
        let dataset = SimulatedDataset.make(seed: 9, isDense: true)
        let places = Set(dataset.surveys.map(\.place))
        #expect(places.count == dataset.surveys.count && places.count > 1_500)
        #expect(dataset.tests.count > 100)
        #expect(dataset.tests.allSatisfy { $0.truth.x <= 16 && $0.truth.y <= 12.5 })
        #expect(Set(dataset.tests.map(\.scan.id)).count == dataset.tests.count)
        #expect(dataset.tests.map(\.path) == dataset.tests.map(\.scan.device.text))
    }

    @Test("With several positioners the last line compares each later one with the first")
    func comparison() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let lines = try folder.measure(["--positioner", "knn", "--positioner", "knn"])
        #expect(lines.count == 3)
        try JSONParser.read(Array(lines[2].utf8)) { root in
            let object = try #require(root.object)
            #expect(object["dataset"]?.string == "surimi")
            #expect(object["baseline"]?.string == "knn")
            #expect(object["best"]?.string == "knn")
            let compared = try #require(object["compared"]?.array)
            #expect(compared.count == 1)
            for element in compared {
                let later = try #require(element.object)
                #expect(later["positioner"]?.string == "knn")
                #expect(later["queries"]?.int == 3)
                #expect(later["paths"]?.isNull == true)
                for name: StaticString in ["meanDifference", "lower95", "upper95"] {
                    #expect(later[name]?.double == 0)
                }
            }
        }
    }

    @Test("Predictions are written beside the true places")
    func predictions() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let file = folder.url.appending(path: "predictions.csv")
        _ = try folder.measure(["--positioner", "knn", "--predictions", file.path()])
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].split(separator: ",").map(String.init) == PredictionColumn.all.map(\.name))
        let width = lines[0].split(separator: ",", omittingEmptySubsequences: false).count
        for line in lines {
            #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == width)
        }
    }

    @Test("The columns of predictions are described in the help and in docs/accuracy.md")
    func columns() throws {
        let document = try String(
            contentsOf: repository.appending(path: "docs/accuracy.md"), encoding: .utf8)
        let section = try #require(document.components(separatedBy: "\n## Predictions\n").last)
            .components(separatedBy: "\n## ")[0]
        let described = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
        #expect(
            described.map(String.init)
                == PredictionColumn.all.map { "| `\($0.name)` | \($0.meaning) |" })
        for column in PredictionColumn.all {
            #expect(
                Command.accuracy.help.components(separatedBy: "\n").contains {
                    $0.hasPrefix("  \(column.name) ") && $0.hasSuffix(" \(column.meaning)")
                }, "\(column.name)")
        }
    }

    @Test(
        "The plot names each positioner; a file that can't be written fails before the measurement"
    )
    func plot() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        let file = folder.url.appending(path: "errors.svg")
        _ = try folder.measure([
            "--positioner", "knn", "--positioner", "gaussian", "--plot", file.path(),
        ])
        let picture = try String(contentsOf: file, encoding: .utf8)
        #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
        #expect(picture.contains(">knn</text>") && picture.contains(">gaussian</text>"))
        #expect(throws: CommandFault.self) {
            try folder.measure(["--plot", folder.url.appending(path: "no/such.svg").path()])
        }
    }

    @Test("Tracks of a data set without paths are refused with the reason")
    func noPaths() throws {
        let folder = try CorridorSet()
        defer { folder.remove() }
        do {
            _ = try folder.measure(["--positioner", "track:over=knn", "--tracks"])
            Issue.record("was not refused")
        } catch {
            #expect("\(error)".contains("has no paths to track"))
        }
    }

    @Test("An error in the arguments lists the right ones, and a failure names the file")
    func statuses() async {
        let table = CommandTable(program: "whereabouts", [.accuracy])
        let outputs = Mutex("")
        func run(_ arguments: String...) async -> (status: Int32, notes: String) {
            let notes = Mutex("")
            let status = await table.run(
                arguments, output: { line in outputs.withLock { $0 += line } },
                note: { note in notes.withLock { $0 += note } })
            return (status, notes.withLock { $0 })
        }
        let unknown = await run("accuracy", "mnist", "/")
        #expect(unknown.status == 64)
        #expect(unknown.notes.contains("mnist is not a data set; known are ujiindoorloc"))
        let simulator = await run("accuracy", "simulator", "/tmp/x")
        #expect(simulator.status == 64)
        #expect(simulator.notes.contains("simulator takes no path"))
        let missing = await run("accuracy", "surimi", "/nonexistent")
        #expect(missing.status == 1)
        #expect(missing.notes.contains("/nonexistent"))
        #expect(await run("accuracy", "surimi", "/", "--positioner", "oracle").status == 64)
        // Help that was asked for goes to stdout, so that it can be paged; nothing to stderr.
        let help = await run("accuracy", "--help")
        #expect(help.status == 0 && help.notes == "")
        #expect(outputs.withLock { $0 } == Command.accuracy.help)
        #expect(await run("--help").notes == "")
        #expect(outputs.withLock { $0 }.contains("accuracy"))
        #expect(await run("--version").status == 0)
        #expect(outputs.withLock { $0 }.contains("whereabouts 0"))
        #expect(await run("fly").status == 64)
        #expect(await run().status == 64)
    }
}
