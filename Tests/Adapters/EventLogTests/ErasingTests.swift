import EventLog
import Testing

@Suite("Erasing a key from a log", .serialized) struct ErasingTests {
    @Test(
        "removes its records before the mark, where the engine can, and no others",
        arguments: LogKind.available)
    func erased(_ kind: LogKind) async throws {
        try await withLog(kind, [.aDay("scans", 2), .forever("state", 2)]) { log, _ in
            var marked = LogHeaders()
            marked.append("ce_type", "erased")
            for topic in ["scans", "state"] {
                for value in ["1", "2"] {
                    try await log.append([
                        LogRecord(topic, "anna", value), LogRecord(topic, "bert", value),
                        LogRecord(topic, "carl", value),
                    ])
                }
                try await log.append([
                    LogRecord(topic: topic, key: bytes("anna"), value: [], headers: marked),
                    LogRecord(topic: topic, key: bytes("carl"), value: [], headers: marked),
                ])
                try await log.append([
                    LogRecord(topic, "anna", "later"), LogRecord(topic, "bert", "later"),
                ])
            }
            let canErase = try await log.erase(
                [bytes("anna"), bytes("carl"), bytes("nobody")], of: ["scans"],
                before: bytes("erased"))
            #expect(canErase == (kind != .kafka))
            func values(_ topic: String, _ key: String) async throws -> [String?] {
                try await log.readAll(topic).filter { text($0.key) == key }
                    .map { text($0.value) }
            }
            let all = ["1", "2", "later"]
            #expect(try await values("scans", "bert") == all)
            #expect(
                try await values("scans", "anna")
                    == (canErase ? ["", "later"] : ["1", "2", "", "later"]))
            #expect(try await values("scans", "carl") == (canErase ? [""] : ["1", "2", ""]))
            #expect(try await values("state", "anna") == ["1", "2", "", "later"])
            // Without a mark nothing is removed.
            _ = try await log.erase([bytes("bert")], of: ["scans"], before: bytes("erased"))
            #expect(try await values("scans", "bert") == all)
        }
    }

    @Test(
        "removes the records at these offsets, where the engine can, and no others",
        arguments: LogKind.available)
    func offsets(_ kind: LogKind) async throws {
        try await withLog(kind, [.forever("surveys", 1)]) { log, _ in
            for value in ["1", "2", "3"] {
                try await log.append([LogRecord("surveys", "a", value)])
            }
            let all = try await log.readAll("surveys")
            let second = try #require(all.dropFirst().first)
            let canErase = try await log.erase([second.topicPartition: [second.offset]])
            #expect(canErase == (kind != .kafka))
            let left = try await log.readAll("surveys").map { text($0.value) }
            #expect(left == (canErase ? ["1", "3"] : ["1", "2", "3"]))
        }
    }
}
