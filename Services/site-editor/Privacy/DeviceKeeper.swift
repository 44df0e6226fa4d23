import Events
import HTTPClient
import ServiceHost
import Wire

/// A service that keeps something of devices. It is asked over HTTP what it keeps, and whether an
/// erasure is done there.
struct DeviceKeeper: Sendable {
    private static let timeoutSeconds = 5.0

    let name: String
    private let service: Neighbour
    /// The path of its answers about erasures, without the erasure's id.
    private let erasures: String
    /// The path of its part of a device's report.
    private let kept: String

    init(_ name: String, erasures: String, kept: String, _ service: Neighbour) {
        self.name = name
        self.service = service
        self.erasures = erasures
        self.kept = kept
    }

    /// Whether the service is done with an erasure; nil where it does not answer.
    func hasErased(_ erasure: EventID) async -> Bool? {
        await answer("\(erasures)/\(erasure)").map(ErasureAnswer.isDone)
    }

    /// All that the service keeps about a device; nil where it does not answer.
    func kept(of device: DeviceID, at site: SiteID) async -> [KeptData]? {
        await answer("\(kept)?site=\(site)&device=\(device)").flatMap(DeviceReport.kept)
    }

    private func answer(_ path: String) async -> [UInt8]? {
        let answer = try? await service.get(path, timeoutSeconds: Self.timeoutSeconds)
        return answer?.status == 200 ? answer?.body : nil
    }
}
