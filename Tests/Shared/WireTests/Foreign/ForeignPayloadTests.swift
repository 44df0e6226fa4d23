import Events
import Foundation
import Repository
import Testing
import Wire

/// The payloads in Tests/Shared/Foreign, whose README names the sources.
enum ForeignPayload {
    private static let folder = repository.appending(path: "Tests/Shared/Foreign")
    /// The time of arrival: 2026-11-22 00:00 UTC.
    static let received = Timestamp(milliseconds: 1_795_305_600_000)
    static let secret = "a secret of sixteen bytes"

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func lines(_ name: String) throws -> [String] {
        String(decoding: try bytes(name), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// A device on one line, as the files show it.
    static func line(_ heard: HeardDevice) -> String {
        var words = [
            heard.name, heard.isAddress ? "address" : "name", heard.scanner.text, heard.at.text,
            "\(heard.rssi)",
        ]
        if let distance = heard.distance {
            words += [distance.metres, distance.deviation].map {
                "\(($0 * 1_000).rounded() / 1_000)".replacing(/\.0$/, with: "")
            }
        }
        return words.joined(separator: " ")
    }
}

@Suite("Payloads of other systems") struct ForeignPayloadTests {
    @Test(
        "A node of ESPresense tells of one device",
        arguments: ["public", "beacon", "kind", "key"])
    func espresense(name: String) throws {
        let lines = try ForeignPayload.lines("espresense-\(name).json")
        let heard = try #require(
            try ESPresenseMessage.heard(
                topic: lines[0], payload: Array(lines[1].utf8),
                receivedAt: ForeignPayload.received))
        let expected = try ForeignPayload.lines("espresense-\(name).heard.txt")
        #expect([ForeignPayload.line(heard)] == expected)
    }

    @Test("Meraki's cloud tells of each device at each access point", arguments: ["wifi", "ble"])
    func meraki(name: String) throws {
        let post = try MerakiPost(
            json: try ForeignPayload.bytes("meraki-\(name).json"),
            receivedAt: ForeignPayload.received, isSecret: { $0 == ForeignPayload.secret })
        #expect(
            post.heard.map(ForeignPayload.line)
                == (try ForeignPayload.lines("meraki-\(name).heard.txt")))
        #expect(post.leftOut == 0)
    }

    @Test(
        "FIND3's bodies are scans, and surveys at their locations", arguments: ["track", "learn"])
    func find3(name: String) throws {
        let scan = try FIND3Data.submission(
            json: try ForeignPayload.bytes("find3-\(name).json"),
            receivedAt: ForeignPayload.received)
        var expected = try SubmissionDecoder(.scan).decodeOne(
            try ForeignPayload.bytes("find3-\(name).scan.json"),
            receivedAt: ForeignPayload.received)
        expected.id = scan.id
        #expect(scan == expected)
        #expect(scan.id != nil)
    }

    @Test("A question where somebody is becomes a scan", arguments: ["ichnaea", "google"])
    func geolocate(name: String) throws {
        let scan = try GeolocateQuestion.submission(
            json: try ForeignPayload.bytes("geolocate-\(name).json"),
            receivedAt: ForeignPayload.received)
        let expected = try SubmissionDecoder(.scan).decodeOne(
            try ForeignPayload.bytes("geolocate-\(name).scan.json"),
            receivedAt: ForeignPayload.received)
        #expect(scan == expected)
    }
}
