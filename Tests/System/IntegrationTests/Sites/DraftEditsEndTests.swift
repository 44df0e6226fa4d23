import Foundation
import HTTPClient
import Synchronization
import Testing

extension IntegrationTests {
    /// Two editors of one draft over HTTP, who follow each other's edits.
    @Suite("Editing a draft together") struct DraftEditsEndTests {
        private static let path = "/v1/sites/\(SmallSite.name)"
        private static let editsOfEach = 60

        /// The revisions that a follower has seen.
        private final class SeenEdits: Sendable {
            private let revisions = Mutex<[Int]>([])

            var all: [Int] { revisions.withLock(\.self) }

            func note(_ some: [Int]) { revisions.withLock { $0 += some } }
        }

        @Test(
            "Each edit arrives once, and everybody sees all in order, while the service is killed")
        func killed() async throws {
            let site = try await SmallSite()
            let second = try await site.newAdministrator()
            let seen = SeenEdits()
            let follower = Task { await Self.follow(site, seen) }
            defer { follower.cancel() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (editor, token) in [site.administrator, second].enumerated() {
                    group.addTask { try await Self.edit(site, editor, token) }
                }
                group.addTask {
                    for count in [20, 60] {
                        try await eventually("\(count) edits are made", seconds: 120) {
                            seen.all.count >= count
                        }
                        try await site.campus.restart("whereabouts")
                    }
                }
                try await group.waitForAll()
            }
            let listed = try await site.campus.send(
                "GET", "\(Self.path)/draft/edits?limit=1000", token: second)
            let edits = listed.json["edits"] as? [[String: Any]] ?? []
            let all = 2 * Self.editsOfEach
            #expect(edits.count == all, "\(listed.text.prefix(500))")
            #expect(Set(edits.compactMap { $0["id"] as? String }).count == all)
            #expect(edits.compactMap { $0["revision"] as? Int } == Array(1...all))
            try await eventually("the follower has seen all: \(seen.all)") {
                seen.all.count >= all
            }
            #expect(seen.all == Array(1...all), "none is missing, and none comes twice")
            let draft = try await site.campus.send(
                "GET", "\(Self.path)?version=draft", token: site.administrator)
            #expect(draft.headers["etag"] == "\"draft-\(all)\"")
            let locations = draft.json["locations"] as? [[String: Any]] ?? []
            let named = Set(locations.compactMap { $0["id"] as? String })
            #expect(named.count == 1 + all - all / 3)
            let rooms = draft.json["rooms"] as? [[String: Any]] ?? []
            // The last name of each editor's own room.
            let last = (0..<Self.editsOfEach).last { $0 % 3 == 0 } ?? 0
            #expect(rooms.compactMap { $0["name"] as? String } == ["a \(last)", "b \(last)"])
        }

        @Test("Each editor undoes their own edits, and a conflict shows both")
        func together() async throws {
            let site = try await SmallSite()
            let second = try await site.newAdministrator()
            func send(_ token: String, _ path: String, _ body: [String: Any]) async throws -> Answer
            {
                try await site.campus.send(
                    "POST", Self.path + path, token: token, body: jsonText(body))
            }
            func rename(_ token: String, _ name: String) async throws -> Answer {
                let edit: [String: Any] = [
                    "id": UUID().uuidString, "do": "patch", "kind": "rooms", "record": "a",
                    "value": ["name": name], "basedOn": 0,
                ]
                return try await send(token, "/draft/edits", ["edits": [edit]])
            }
            #expect(try await rename(site.administrator, "Aula").text.contains("\"revision\":1"))
            let conflict = try await rename(second, "Hall")
            #expect(conflict.text.contains("draft-edit-conflict"), "\(conflict.text)")
            #expect(conflict.text.contains("\"name\":\"Aula\""))
            let other = try await send(second, "/draft/undo", ["id": UUID().uuidString])
            #expect(other.code == "nothing-to-undo", "\(other.text)")
            let own = try await send(site.administrator, "/draft/undo", ["id": UUID().uuidString])
            #expect(own.json["undoes"] as? Int == 1, "\(own.text)")
            #expect(site.campus.stop() == ["whereabouts": 0])
        }

        /// Sends one edit after the other, each until it is answered.
        private static func edit(_ site: SmallSite, _ editor: Int, _ token: String) async throws {
            let room = ["a", "b"][editor]
            for number in 0..<editsOfEach {
                var edit: [String: Any] = ["id": UUID().uuidString]
                if number % 3 == 0 {
                    edit["do"] = "patch"
                    edit["kind"] = "rooms"
                    edit["record"] = room
                    edit["value"] = ["name": "\(room) \(number)"]
                } else {
                    edit["do"] = "put"
                    edit["kind"] = "locations"
                    edit["record"] = "\(room)-new-\(number)"
                    edit["value"] =
                        ["floor": "ground", "room": room, "x": 5 + 10 * editor, "y": 4]
                        as [String: Any]
                }
                let body = jsonText(["edits": [edit]])
                try await eventually("edit \(number) of editor \(editor) is answered", seconds: 60)
                {
                    let answer = try? await site.campus.send(
                        "POST", "\(path)/draft/edits", token: token, body: body)
                    guard let answer, answer.status == 200 else { return false }
                    try #require(!answer.text.contains("refused"), "\(answer.text)")
                    return true
                }
            }
        }

        /// Follows the stream, and comes back with the last id whenever it breaks off.
        private static func follow(_ site: SmallSite, _ seen: SeenEdits) async {
            while !Task.isCancelled {
                let last = seen.all.last ?? 0
                let stream = try? await site.campus.stream(
                    "\(path)/draft/edits/stream", token: site.administrator,
                    headers: [("last-event-id", "\(last)")])
                guard let stream else {
                    try? await Task.sleep(for: .milliseconds(50))
                    continue
                }
                var parser = ServerSentEventParser()
                do {
                    for try await chunk in stream.body {
                        let revisions = parser.feed(chunk).compactMap { Int($0.id) }
                        seen.note(revisions)
                    }
                } catch {
                    // The service was killed; what is missing shows in the end.
                }
            }
        }
    }
}
