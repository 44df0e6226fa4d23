import Events
import Foundation
import SampleSites
import ServiceBench
import TestSupport
import Testing
import Wire

@testable import Locator

@Suite(
    "Files of positions and visits",
    .enabled(if: PrivatePostgres.isUsable, "\(PrivatePostgres.obstacle ?? "")"))
struct DownloadTests {
    /// A little more than one page.
    private static let count = PositionQuery.limitMaximum + 50
    private static let all = "/v1/positions?site=\(SampleSite.id)&limit=all"

    private func filled() async throws -> WatchBench {
        let bench = try await WatchBench()
        try await bench.write(
            (0..<Self.count).map {
                WatchBench.position("d\($0 % 7)", at: Double($0) / 1_000, number: UInt64($0))
            })
        return bench
    }

    @Test("GeoJSON of all positions is one object, which says at its end that it is complete")
    func geojson() async throws {
        let bench = try await filled()
        let answer = try await bench.get(Self.all + "&format=geojson")
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "application/geo+json")
        #expect(
            answer.headers["content-disposition"]
                == "attachment; filename=\"positions-\(SampleSite.id).geojson\"")
        let object = try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
        #expect((object?["features"] as? [Any])?.count == Self.count)
        #expect(object?["complete"] as? Bool == true && object?["rows"] as? Int == Self.count)
        let one = try await bench.app.send(
            "GET", Self.all + "&device=nobody", token: bench.bench.issue(.analyst),
            headers: ["accept": "application/geo+json"])
        #expect(
            one.text == #"{"type":"FeatureCollection","features":[],"complete":true,"rows":0}"#)
    }

    @Test("The last line of CSV and NDJSON says that the file is complete, where it is a file")
    func lines() async throws {
        let bench = try await filled()
        let table = try await bench.get(Self.all + "&format=csv").text
        #expect(table.hasSuffix("\r\n# complete: \(Self.count) rows\r\n"))
        #expect(table.split(separator: "\r\n").count == Self.count + 2)
        let lines = try await bench.get(Self.all + "&format=ndjson").text
        #expect(lines.hasSuffix("\n{\"complete\":true,\"rows\":\(Self.count)}\n"))
        // Programs that ask by Accept get what they always got.
        let plain = try await bench.app.send(
            "GET", Self.all, token: bench.bench.issue(.analyst), headers: ["accept": "text/csv"])
        #expect(!plain.text.contains("complete") && plain.text.hasSuffix("\r\n"))
        #expect(plain.headers["content-disposition"] == nil)
        #expect(plain.text.split(separator: "\r\n").count == Self.count + 1)
    }

    @Test("Visits come all at once, too")
    func visits() async throws {
        let bench = try await WatchBench()
        for number in 0..<5 {
            try await bench.visit(
                "d\(number)", .room, "A", from: Double(number), lasting: 60,
                number: UInt64(number))
        }
        let path = "/v1/visits?site=\(SampleSite.id)&limit=all"
        let table = try await bench.get(path + "&format=csv")
        #expect(table.text.hasPrefix("id,site,device,") && table.headers["whereabouts-next"] == nil)
        #expect(table.text.hasSuffix("# complete: 5 rows\r\n"))
        let lines = try await bench.get(path).text
        #expect(lines.split(separator: "\n").count == 5)
        #expect(try await bench.get(path + "&format=json").code == "not-acceptable")
    }

    @Test("A format that there is not is refused", arguments: ["xml", "", "parquet"])
    func unknown(format: String) async throws {
        let bench = try await WatchBench()
        for path in [Self.all, "/v1/visits?site=\(SampleSite.id)"] {
            let answer = try await bench.get(path + "&format=\(format)")
            #expect(answer.status == 400 && answer.code == "field-out-of-range", "\(answer.text)")
        }
        #expect(try await bench.get(Self.all + "&format=json").code == "not-acceptable")
    }
}
