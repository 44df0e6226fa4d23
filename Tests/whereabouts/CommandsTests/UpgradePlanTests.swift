import EventLog
import Foundation
import Postgres
import Repository
import Testing

@testable import Commands

@Suite("The plan of an upgrade") struct UpgradePlanTests {
    /// Swift files that make a migrator of their own. Those of views and of a restore take the
    /// steps of others.
    private static func files() throws -> [String] {
        var found: [String] = []
        for folder in ["Services", "Shared"] {
            let base = repository.appending(path: folder)
            let names = try #require(FileManager.default.enumerator(atPath: base.path))
            for case let name as String in names where name.hasSuffix(".swift") {
                let text = try String(contentsOf: base.appending(path: name), encoding: .utf8)
                if text.contains(/\bMigrator\(/) { found.append("\(folder)/\(name)") }
            }
        }
        return found.filter {
            !$0.hasSuffix("/LogViews/View.swift") && !$0.hasSuffix("/TableRestoring.swift")
        }
    }

    @Test("has each migrator of the house")
    func complete() throws {
        let files = try Self.files()
        #expect(files.count >= 5)
        let tables = UpgradePlan.tables(onLog: "postgres")
        #expect(tables.count == files.count, "\(files)")
        #expect(Set(tables.map(\.schema)).count == tables.count)
        #expect(tables.contains { $0.schema == "locator_counts" })
        #expect(UpgradePlan.tables(onLog: "kafka").count == tables.count - 1)
    }

    @Test("knows no way back where tables, topics or events change, and says which")
    func wayBack() {
        #expect(UpgradePlan().canGoBack)
        #expect(UpgradePlan().lines.last?.hasPrefix("back: the former release can be") == true)
        var tables = UpgradePlan()
        tables.schemas = [.init(name: "site_editor", steps: ["names"], rows: 0, isNew: false)]
        #expect(
            tables.obstaclesToGoingBack == [
                "the tables of site_editor",
                "tokens and outages are written without names and notes",
            ])
        var topics = UpgradePlan()
        topics.topics = [TopicDifference("whereabouts.survey-records", .missing)]
        #expect(topics.obstaclesToGoingBack == ["what is written to whereabouts.survey-records"])
        topics.isFirst = true
        #expect(topics.canGoBack)
        var events = UpgradePlan()
        events.events = [("whereabouts.tokens", 3)]
        #expect(!events.canGoBack)
        #expect(events.lines.last?.contains("the events of whereabouts.tokens") == true)
        var new = UpgradePlan()
        new.schemas = [.init(name: "locator_counts", steps: ["a"], rows: 0, isNew: true)]
        #expect(new.canGoBack)
    }

    @Test("names changes of events by steps that exist")
    func eventChanges() {
        for change in UpgradePlan.eventChanges {
            let schema = UpgradePlan.tables(onLog: "postgres").first { $0.schema == change.schema }
            #expect(schema?.steps.contains { $0.name == change.step } == true, "\(change)")
        }
    }
}
