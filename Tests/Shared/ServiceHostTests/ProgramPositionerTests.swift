import Events
import Foundation
import Geometry
import Positioners
import Positioning
import ServiceHost
import Site
import Synchronization
import Testing

@Suite(.serialized) struct ProgramPositionerTests {
    private static let floor = FloorID("ground")
    private static let heard = Transmitter.wifi(HardwareAddress(value: 0x0062_ECFD_EC50))

    /// One square floor with one room, 10 m wide.
    private let site: SiteIndex
    private let map: RadioMap
    private let notes = Notes()

    private final class Notes: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    init() throws {
        site = try SiteIndex(
            SiteDocument(
                name: "Hall", originLatitude: 51.5, originLongitude: -0.1, bearingDegrees: 0,
                buildings: [
                    BuildingRecord(
                        id: BuildingID("hall"), name: "Hall", timeZone: "Europe/London")
                ],
                floors: [
                    FloorRecord(
                        id: Self.floor, building: BuildingID("hall"), ordinal: 0, level: "G")
                ],
                rooms: [
                    RoomRecord(
                        id: RoomID("hall"), floor: Self.floor, name: "Hall", kind: "hall",
                        outline: [[0, 0], [10, 0], [10, 10], [0, 10]])
                ], locations: []))
        map = RadioMap(
            transmitters: [Self.heard], floors: [Self.floor], rooms: [RoomID("hall")],
            places: [.init(name: "4.0,5.0", floor: 0)],
            fingerprints: [
                .init(
                    survey: EventID(high: 0, low: 1), point: Point(x: 4, y: 5), floor: 0, room: 0,
                    place: 0, walk: 0)
            ], readingStart: [0, 1], readingTransmitter: [0], readingRSSI: [-50])
    }

    /// A Python program with the standard library only: `answer(query)` makes the estimate and the
    /// state.
    private func command(_ answer: String, ready: String = "say({\"ready\": True})") -> String {
        let program = """
            import json, os, sys, time
            def say(value): print(json.dumps(value), flush=True)
            fingerprints = json.loads(sys.stdin.readline())["fingerprints"]
            first = fingerprints[0]
            place = {"floor": first["floor"], "x": first["x"], "y": first["y"], "radius68": 2}
            \(ready)
            for count, line in enumerate(sys.stdin):
                query = json.loads(line)
                number = query["query"]
            \(answer.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
            """
        return "exec:exec /usr/bin/python3 -c '\(program)'"
    }

    private func positioner(
        _ option: String, limit: Duration = .seconds(60), givesUpAfter: Int? = 5,
        waits: Bool = true
    ) throws -> ProgramPositioner {
        let notes = notes
        let made = ProgramPositioner(
            option,
            settings: .init(
                answerLimit: limit, readyLimit: .seconds(60), givesUpAfter: givesUpAfter,
                waitsForRestart: waits), note: { notes.add($0) })
        return try #require(made)
    }

    private func scan(rssi: Int8 = -60) -> RadioScan {
        RadioScan(
            readings: [RadioReading(transmitter: Self.heard, rssi: rssi)],
            at: Timestamp(microseconds: 1_800_000_000_000_000))
    }

    /// Asks once for each state; each answer's state goes into the next query.
    private func states(
        _ prepared: any PreparedPositioner, _ count: Int
    ) -> [PositionEstimated.State] {
        (0..<count).map { _ in prepared.locate(scan()).state }
    }

    @Test("The estimate and the state come back, and missing parts are filled in")
    func answers() throws {
        let positioner = try positioner(
            command(
                """
                state = (query["state"] or "") + str(query["readings"]["wifi/00:62:ec:fd:ec:50"])
                say({"query": number, "estimate": place, "state": state + query["seed"]})
                """))
        let prepared = positioner.prepare(map, site: site)
        var scratch = PositionerScratch()
        let first = prepared.locate(scan(), state: .empty, seed: .max, scratch: &scratch)
        #expect(String(decoding: first.state.bytes, as: UTF8.self) == "-60\(UInt64.max)")
        let second = prepared.locate(scan(rssi: -7), state: first.state, seed: 3, scratch: &scratch)
        #expect(String(decoding: second.state.bytes, as: UTF8.self) == "-60\(UInt64.max)-73")
        let place = try #require(first.estimate.place)
        #expect(first.estimate.state == .located)
        #expect(place.floor == Self.floor && place.point == Point(x: 4, y: 5))
        #expect(place.room == RoomID("hall"))
        #expect(place.radius68 == 2)
        #expect(abs(place.radius95 - 2 * (log(0.05) / log(0.32)).squareRoot()) < 1e-3)
        #expect(abs(place.covariance.xx - 4 / (-2 * log(0.32))) < 1e-3)
        #expect(positioner.unansweredScans == 0 && notes.all.isEmpty)
    }

    @Test("A program that does not start is reported until it answers")
    func health() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let works = command("say({\"query\": number, \"estimate\": place})")
        let told = Notes()
        let made = ProgramPositioner(
            "exec:test -e \(file) && " + works.dropFirst("exec:".count),
            settings: .init(
                answerLimit: .seconds(60), readyLimit: .seconds(60), givesUpAfter: nil,
                waitsForRestart: true), note: { _ in }, onHealth: { told.add($0 ?? "works") })
        let positioner = try #require(made)
        let prepared = positioner.prepare(map, site: site)
        #expect(states(prepared, 1) == [.lost] && told.all.isEmpty)
        #expect(states(prepared, 3) == [.lost, .lost, .lost])
        #expect(told.all.count == 1 && told.all.first?.hasPrefix("exec:test -e") == true)
        // Failures of the process for questions don't count for the one that locates.
        _ = states(try #require(prepared.ofQuestions), 4)
        #expect(told.all.count == 1)
        #expect(FileManager.default.createFile(atPath: file, contents: nil))
        #expect(states(prepared, 2) == [.located, .located])
        #expect(told.all.last == "works" && told.all.count == 2)
    }

    @Test(
        "A malformed answer loses its scan and is reported, and the program is started again",
        arguments: [
            ("print(\"neighbours: 3\", flush=True)", "can't be read"),
            ("say({\"query\": number + 7, \"estimate\": place})", "in place of 1"),
            ("say({\"query\": number, \"estimate\": {**place, \"floor\": \"attic\"}})", "no floor"),
            ("say({\"query\": number, \"estimate\": {**place, \"room\": \"attic\"}})", "no room"),
            ("say({\"query\": number, \"estimate\": {**place, \"radius68\": -1}})", "radius68"),
            ("say({\"query\": number, \"estimate\": {**place, \"x\": float(\"nan\")}})", "read"),
            ("say({\"query\": number, \"state\": \"x\" * 20000})", "16384"),
            ("sys.stdout.write(\"x\" * 200000); sys.stdout.flush(); time.sleep(99)", "bytes"),
            ("os._exit(9)", "status 9"), ("os.kill(os.getpid(), 11)", "by signal 11"),
            ("os.close(1); time.sleep(99)", "ended"),
        ])
    func malformed(body: String, word: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let positioner = try positioner(
            command(
                """
                if os.path.exists("\(file)"):
                    say({"query": number, "estimate": place})
                else:
                    open("\(file)", "w").close()
                    \(body)
                """))
        let prepared = positioner.prepare(map, site: site)
        #expect(states(prepared, 3) == [.lost, .located, .located])
        #expect(positioner.unansweredScans == 1)
        #expect(notes.all.count == 1)
        #expect(notes.all.first?.contains(word) == true, "\(notes.all)")
    }

    @Test("A program that hangs costs its time limit, and one that always does is given up")
    func hangs() throws {
        let positioner = try positioner(
            command("time.sleep(1000)"), limit: .milliseconds(50), givesUpAfter: 3)
        let prepared = positioner.prepare(map, site: site)
        #expect(Set(states(prepared, 500)) == [.lost])
        #expect(positioner.unansweredScans == 500)
        #expect(notes.all.count == 3)
        #expect(notes.all.last?.hasSuffix("it is given up") == true)
    }

    @Test("A program that dies after each answer loses nothing")
    func diesBetween() throws {
        let positioner = try positioner(
            command(
                """
                say({"query": number, "estimate": place})
                os._exit(0)
                """))
        let prepared = positioner.prepare(map, site: site)
        let located = (0..<4).map { _ in
            // The test waits until the program is gone. Otherwise the program may read the query
            // and end with it.
            Thread.sleep(forTimeInterval: 0.5)
            return prepared.locate(scan()).state
        }
        #expect(located == [.located, .located, .located, .located])
    }

    @Test("A question that ends the program loses no scan of a device")
    func questionsApart() throws {
        let positioner = try positioner(
            command(
                """
                if query["readings"]["wifi/00:62:ec:fd:ec:50"] == -1: os._exit(1)
                say({"query": number, "estimate": place})
                """), givesUpAfter: nil, waits: false)
        let prepared = positioner.prepare(map, site: site)
        let questions = try #require(prepared.ofQuestions)
        #expect(questions.locate(scan()).state == .located)
        for _ in 0..<3 { #expect(questions.locate(scan(rssi: -1)).state == .lost) }
        #expect(states(prepared, 3) == [.located, .located, .located])
    }

    @Test("A program that never gets ready is reported, and a service's scans do not wait for it")
    func neverReady() throws {
        let positioner = try positioner(
            command("pass", ready: "sys.exit(4)"), givesUpAfter: nil, waits: false)
        let prepared = positioner.prepare(map, site: site)
        #expect(Set(states(prepared, 1_000)) == [.lost])
        // A thousand starts would take minutes; most scans came during the pauses.
        #expect((1...20).contains(notes.all.count))
        #expect(notes.all.first?.contains("ended with status 4") == true)
    }

    @Test("Scans from several threads each get their own answer")
    func concurrent() async throws {
        let positioner = try positioner(
            command(
                """
                rssi = query["readings"]["wifi/00:62:ec:fd:ec:50"]
                say({"query": number, "estimate": {**place, "x": -rssi / 20}})
                """))
        let prepared = positioner.prepare(map, site: site)
        let found = await withTaskGroup(of: (Int8, Double?).self) { group in
            for rssi in Int8(-120)...(-60) {
                group.addTask { (rssi, prepared.locate(scan(rssi: rssi)).place?.point.x) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(found.count == 61)
        #expect(found.allSatisfy { $0.1 == -Double($0.0) / 20 })
    }

    @Test("Other options make no program")
    func options() {
        for option in ["knn", "exec:", "execute:cat"] {
            #expect(ProgramPositioner(option, settings: .serving(), note: { _ in }) == nil)
        }
    }
}
