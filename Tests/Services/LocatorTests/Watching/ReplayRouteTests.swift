import Events
import Foundation
import Postgres
import SampleSites
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "The replay of a site",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct ReplayRouteTests {
    /// An answer, decoded as a page does it.
    struct Replayed: Decodable {
        struct Place: Decodable {
            var building: String?
            var floor: String?
            var room: String?
            var state: String
        }
        struct Track: Decodable {
            var device: String
            var track: [Int]
            var places: [Int]
        }
        struct Degrees: Decodable {
            var latitude: Double
            var longitude: Double
        }

        var from: String
        var until: String
        var positions: Int
        var origin: Degrees
        var places: [Place]
        var devices: [Track]

        init(_ answer: Answer) throws {
            self = try JSONDecoder().decode(Self.self, from: Data(answer.body))
        }

        /// Each position as a line, sorted: device, tenths of a second, degrees, radius, place.
        var lines: [String] {
            devices.flatMap { one -> [String] in
                var now = [0, 0, 0, 0]
                var place = 0
                return (0..<one.track.count / 4).map { step in
                    for part in 0..<4 { now[part] += one.track[4 * step + part] }
                    for entry in stride(from: 0, to: one.places.count, by: 2)
                    where one.places[entry] == step { place = one.places[entry + 1] }
                    let at = places[place]
                    return [
                        one.device, "\(now[0])",
                        String(format: "%.6f", origin.latitude + Double(now[1]) / 1e6),
                        String(format: "%.6f", origin.longitude + Double(now[2]) / 1e6),
                        "\(now[3])", at.floor ?? "", at.room ?? "", at.state,
                    ].joined(separator: " ")
                }
            }.sorted()
        }
    }

    private static func line(_ position: PositionEstimated, from: Timestamp) -> String {
        [
            position.device.text, "\((position.at - from) / 100_000)",
            String(format: "%.6f", position.latitude ?? 0),
            String(format: "%.6f", position.longitude ?? 0),
            "\(Int(((position.radius68 ?? 0) * 10).rounded()))", position.floor?.text ?? "",
            position.room?.text ?? "", position.state.rawValue,
        ].joined(separator: " ")
    }

    private static func query(_ seconds: Double, _ rest: String = "") -> String {
        "from=\(WatchBench.time(seconds).text)\(rest)"
    }

    @Test("It has the positions of all devices, as a loop over the written ones finds them")
    func all() async throws {
        let bench = try await WatchBench()
        var written: [PositionEstimated] = []
        for second in 0..<90 {
            for device in 0..<6 where (second + device) % 3 > 0 {
                written.append(
                    WatchBench.position(
                        "d\(device)", at: Double(second) + 0.1 * Double(device),
                        room: second % 20 < 10 ? "A" : "B",
                        floor: device == 5 ? "first" : "ground",
                        east: Double(second * 7 % 19), number: UInt64(written.count)))
            }
        }
        try await bench.write(written)
        let whole = try Replayed(await bench.figures("replay", Self.query(10)))
        let from = WatchBench.time(10)
        let expected = written.filter { $0.at >= from && $0.at < WatchBench.time(70) }
        #expect(whole.until == WatchBench.time(70).text)
        #expect(whole.positions == expected.count)
        #expect(whole.lines == expected.map { Self.line($0, from: from) }.sorted())
        // A floor and a device are filters.
        let floor = try Replayed(
            await bench.figures("replay", Self.query(10, "&seconds=5&floor=first")))
        #expect(Set(floor.devices.map(\.device)) == ["d5"])
        let one = try Replayed(await bench.figures("replay", Self.query(10, "&device=d2")))
        #expect(one.devices.map(\.device) == ["d2"])
    }

    @Test("A lost position stays where the one before was, and says so")
    func lost() async throws {
        let bench = try await WatchBench()
        var lost = WatchBench.position("d", at: 2, number: 2)
        lost.state = .lost
        (lost.x, lost.y, lost.latitude, lost.longitude) = (nil, nil, nil, nil)
        (lost.radius68, lost.radius95, lost.floor, lost.room) = (nil, nil, nil, nil)
        try await bench.write([WatchBench.position("d", at: 1, east: 5, number: 1), lost])
        let found = try Replayed(await bench.figures("replay", Self.query(0, "&seconds=5")))
        #expect(found.devices[0].track[4...] == [10, 0, 0, 0])
        #expect(found.places.map(\.state) == ["located", "lost"])
        #expect(found.devices[0].places == [0, 0, 1, 1])
    }

    @Test("An answer that has too many ends earlier, and the next one goes on there")
    func parts() async throws {
        let bench = try await WatchBench()
        let count = ReplayPeriod.mostPositions + 1_000
        let written = (0..<count).map { number in
            // Several have the same time.
            WatchBench.position(
                "d\(number % 500)", at: Double(number / 4) * 0.01, number: UInt64(number))
        }
        try await bench.write(written)
        var lines: [String] = []
        var from = WatchBench.hour
        var answers = 0
        while from < WatchBench.time(60) {
            let seconds = (WatchBench.time(60) - from + 999_999) / 1_000_000
            let part = try Replayed(
                await bench.figures("replay", "from=\(from.text)&seconds=\(seconds)"))
            #expect(part.positions <= ReplayPeriod.mostPositions)
            let shift = Int((from - WatchBench.hour) / 10_000)
            lines += part.devices.flatMap { one -> [String] in
                var tenths = 0
                return stride(from: 0, to: one.track.count, by: 4).map {
                    tenths += one.track[$0]
                    return "\(one.device) \((tenths * 10 + shift) / 100)"
                }
            }
            from = try #require(Timestamp(text: part.until))
            answers += 1
        }
        #expect(answers == 2 && lines.count == count)
    }

    @Test("Positions of one instant are one answer, however many")
    func instant() async throws {
        let bench = try await WatchBench()
        let count = ReplayPeriod.mostPositions + 10
        try await bench.write(
            (0..<count).map { WatchBench.position("d\($0)", at: 1, number: UInt64($0)) })
        // All of them are one answer.
        let found = try Replayed(await bench.figures("replay", Self.query(0)))
        #expect(found.positions == count && found.until == WatchBench.time(60).text)
    }

    @Test("An erased device is gone")
    func erased() async throws {
        let bench = try await WatchBench()
        try await bench.write([
            WatchBench.position("gone", at: 1, number: 1),
            WatchBench.position("stays", at: 1, number: 2),
        ])
        _ = try Replayed(await bench.figures("replay", Self.query(0)))
        try await bench.erase("gone")
        let left = try await bench.figures("replay", Self.query(0))
        #expect(try Replayed(left).devices.map(\.device) == ["stays"])
        #expect(!left.text.contains("gone"))
    }

    @Test("Each sees what GET /v1/positions shows them")
    func rights() async throws {
        let bench = try await WatchBench()
        try await bench.write([
            WatchBench.position("a", at: 1, number: 1),
            WatchBench.position("b", at: 1, building: "annexe", number: 2),
        ])
        func devices(_ token: String) async throws -> [String] {
            try Replayed(await bench.figures("replay", Self.query(0), as: token)).devices
                .map(\.device)
        }
        let issue = bench.bench.issue
        #expect(try await devices(issue(.analyst, SampleSite.id, [], nil, nil, nil)) == ["a", "b"])
        #expect(
            try await devices(
                issue(.analyst, SampleSite.id, [BuildingID("annexe")], nil, nil, nil)) == ["b"])
        let own = issue(.device, SampleSite.id, [], DeviceID("a"), nil, nil)
        #expect(try await devices(own) == ["a"])
        let other = try await bench.figures("replay", Self.query(0, "&device=b"), as: own)
        #expect(other.status == 403)
        for role in [TokenRole.visitor, .aggregate, .locateOnly] {
            let answer = try await bench.figures(
                "replay", Self.query(0), as: issue(role, SampleSite.id, [], nil, nil, nil))
            #expect(answer.status == 403, "\(role)")
        }
    }

    @Test(
        "A wrong parameter is named",
        arguments: [
            ("", 400, "field-missing"), ("from=yesterday", 400, "time-malformed"),
            ("{from}&seconds=0", 400, "field-out-of-range"),
            ("{from}&seconds=601", 400, "field-out-of-range"),
            ("{from}&seconds=x", 400, "field-out-of-range"),
            ("{from}&floor=nowhere", 404, "floor-unknown"), ("{from}&flor=a", 400, "field-unknown"),
        ])
    func wrong(query: String, status: Int, code: String) async throws {
        let bench = try await WatchBench()
        let answer = try await bench.figures(
            "replay", query.replacing("{from}", with: Self.query(0)))
        #expect(answer.status == status && answer.code == code, "\(answer.text)")
    }
}
