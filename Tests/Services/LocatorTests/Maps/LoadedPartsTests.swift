import Cryptography
import Devices
import Events
import HTTPClient
import Positioning
import SampleSites
import ServiceBench
import ServiceHost
import Synchronization
import Testing
import Wire

@testable import Locator

@Suite("Radio maps in parts") struct LoadedPartsTests {
    /// Serves files by their hashes, and counts the requests.
    private final class Files: Sendable {
        private let state = Mutex((files: [String: [UInt8]](), asked: [String]()))

        var asked: [String] { state.withLock { $0.asked } }

        func put(_ bytes: [UInt8]) -> String {
            let hash = sha256Hex(bytes)
            state.withLock { $0.files[hash] = bytes }
            return hash
        }

        var neighbour: Neighbour {
            Neighbour { [self] path, _, _ in
                let hash = String(path.dropFirst("/v1/radio-maps/".count))
                let bytes = state.withLock { state in
                    state.asked.append(hash)
                    return state.files[hash]
                }
                return HTTPClientResponse(
                    status: bytes == nil ? 404 : 200, headers: [:], body: bytes ?? [])
            }
        }
    }

    /// The announcement of these surveys, in parts of the given sizes.
    private func announce(_ surveys: [[SurveyRecorded]], in files: Files) -> RadioMapAnnounced {
        let parts = surveys.map { RadioMapBuilder.build($0, site: SampleSite.index).part }
        let whole = RadioMapArtifact.encode(RadioMap(joining: parts))
        return RadioMapAnnounced(
            site: SampleSite.id, version: 1, hash: files.put(whole), byteCount: whole.count,
            siteVersion: 1, surveyOffsets: [], builderVersion: "3",
            builtAt: Timestamp(microseconds: 0), fingerprints: 0, accessPoints: 0,
            parts: parts.enumerated().map { number, part in
                let bytes = RadioMapPartArtifact.encode(part)
                return .init(
                    building: BuildingID("b\(number)"), hash: files.put(bytes),
                    byteCount: bytes.count)
            })
    }

    @Test("are fetched part by part, a new version only in what is new, and are the whole map")
    func parts() async throws {
        let bench = try await ServiceBench()
        let files = Files()
        let sites = KnownSites(
            log: bench.log, published: bench.sites, mapStore: files.neighbour,
            notices: bench.notices,
            positioners: [WorkingPositioner(positioner: NearestNeighbours(), option: "knn")])
        let all = SampleSite.surveys
        let (north, south) = (Array(all.prefix(100)), Array(all.dropFirst(100).dropLast(5)))
        let first = announce([north, south], in: files)
        let map = try await sites.fetch(first)
        #expect(map == RadioMapBuilder.build(north + south, site: SampleSite.index).map)
        #expect(files.asked == first.parts.map(\.hash))

        let second = announce([north, Array(all.dropFirst(100))], in: files)
        #expect(try await sites.fetch(second) == SampleSite.map)
        #expect(files.asked == first.parts.map(\.hash) + [second.parts[1].hash])

        // A map without parts comes as one file, as from an earlier release.
        var former = second
        former.parts = []
        #expect(try await sites.fetch(former) == SampleSite.map)
        #expect(files.asked.last == former.hash)

        // Half a map is never used.
        var half = second
        half.parts.removeLast()
        await #expect(throws: RadioMapFault.self) { try await sites.fetch(half) }
        var missing = second
        missing.parts[0].hash = "0"
        await #expect(throws: (any Error).self) { try await sites.fetch(missing) }
    }

    @Test("forget the parts that no version has")
    func forget() throws {
        let parts = LoadedParts()
        try parts.keep([1], as: "a")
        try parts.keep([2, 3], as: "b")
        parts.forget(allBut: ["b", "c"])
        #expect(try parts.file("a") == nil)
        #expect(try parts.file("b") == [2, 3])
        #expect(try parts.file("c") == nil)
    }
}
