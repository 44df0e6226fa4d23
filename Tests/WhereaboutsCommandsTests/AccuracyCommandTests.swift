import Foundation
import JSON
import Synchronization
import Testing
import WhereaboutsCommands

@Suite struct AccuracyCommandTests {
    /// A set of one corridor: each of ten access points is strong near its own metre.
    private func corridor() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "accuracy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func table(_ places: [Double]) -> String {
            let header = (0..<10).map { "\($0)," }.joined()
            let rows = places.map { place in
                (0..<10).map { "\((-40 - 4 * abs(Double($0) - place)).rounded())," }.joined()
                    + "\(place),0,0,2,0\n"
            }
            return header + "LONGITUDE,LATITUDE,ALTITUDE,FLOOR,BUILDINGID\n" + rows.joined()
        }
        let train = table(stride(from: 0, to: 10, by: 0.25).map { $0 })
        try Data(train.utf8).write(to: folder.appending(path: "Train.csv"))
        try Data(table([2.6, 4.1, 7.3]).utf8).write(to: folder.appending(path: "Test.csv"))
        return folder
    }

    private func run(_ arguments: [String]) throws -> [String] {
        var lines: [String] = []
        try runAccuracy(
            arguments: arguments, output: { lines.append($0) },
            makeProgress: { total in
                ProgressReporter(
                    "locating", unit: "scans", total: total, isTerminal: false, write: { _ in })
            })
        return lines
    }

    @Test("One line holds every figure, null where the set lacks it")
    func line() throws {
        let folder = try corridor()
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = try run(["surimi", folder.path()])
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
            for name: StaticString in ["within68", "within95", "intervalScore"] {
                #expect(object[name]?.double != nil)
            }
            #expect(object["microsecondsPerQuery"]?.double != nil)
        }
    }

    @Test("Several positioners end with each later one compared with the first")
    func comparison() throws {
        let folder = try corridor()
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = try run(
            ["surimi", folder.path(), "--positioner", "knn", "--positioner", "knn"])
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

    @Test("Predictions are written beside the truth")
    func predictions() throws {
        let folder = try corridor()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "predictions.csv")
        _ = try run(["surimi", folder.path(), "--predictions", file.path()])
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix("positioner,part,scan,"))
        let width = lines[0].split(separator: ",", omittingEmptySubsequences: false).count
        for line in lines {
            #expect(line.split(separator: ",", omittingEmptySubsequences: false).count == width)
        }
    }

    @Test("Wrong arguments are told with what would be right, and failures with the file")
    func statuses() async {
        let table = CommandTable(program: "whereabouts", [.accuracy])
        func run(_ arguments: String...) async -> (status: Int32, notes: String) {
            let notes = Mutex("")
            let status = await table.run(
                arguments, output: { _ in }, note: { note in notes.withLock { $0 += note } })
            return (status, notes.withLock { $0 })
        }
        let unknown = await run("accuracy", "mnist", "/")
        #expect(unknown.status == 64)
        #expect(unknown.notes.contains("mnist is not a data set; known are ujiindoorloc"))
        let missing = await run("accuracy", "surimi", "/nonexistent")
        #expect(missing.status == 1)
        #expect(missing.notes.contains("/nonexistent"))
        #expect(await run("accuracy", "surimi", "/", "--positioner", "oracle").status == 64)
        #expect(await run("accuracy", "--help").status == 0)
        #expect(await run("--help").notes.contains("accuracy"))
        #expect(await run("fly").status == 64)
        #expect(await run().status == 64)
    }
}
